// The kernels of one instruction set as a table. Included inside a namespace that has them all;
// CANDOR_ISA_NAME is that of the namespace, and becomes part of every kernel's name.
constexpr KernelTable kTable{
    .isa = CANDOR_ISA_NAME,
    .panel = kPanelWidth,
    .tile_rows = kTileRows,
    .gemm = {Gemm, "cpu." CANDOR_ISA_NAME ".gemm_f32"},
    .attention = {Attention, "cpu." CANDOR_ISA_NAME ".attention_f32"},
    .norm = {Norm, "cpu." CANDOR_ISA_NAME ".norm_f32"},
    .norm_l2 = {NormL2, "cpu." CANDOR_ISA_NAME ".norm_l2_f32"},
    .activate = {Activate, "cpu." CANDOR_ISA_NAME ".activate_f32"},
    .combine = {Combine, "cpu." CANDOR_ISA_NAME ".combine_f32"},
    .rotate = {Rotate, "cpu." CANDOR_ISA_NAME ".rotate_f32"},
    .gate = {Gate, "cpu." CANDOR_ISA_NAME ".gate_f32"},
    .route = {Route, "cpu." CANDOR_ISA_NAME ".route_f32"},
    .embed = {Embed, "cpu." CANDOR_ISA_NAME ".embed_f32"},
    .pool = {Pool, "cpu." CANDOR_ISA_NAME ".pool_f32"},
    .fold = {Fold, "cpu." CANDOR_ISA_NAME ".fold_f32"},
    .pack = {Pack, "cpu." CANDOR_ISA_NAME ".pack_f32"},
    .narrow = {Narrow, "cpu." CANDOR_ISA_NAME ".narrow_f32"},
    .finite = {Finite, "cpu." CANDOR_ISA_NAME ".finite_f32"},
};
