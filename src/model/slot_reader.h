// SlotReader: the rows of one bound slot, straight from the package, for a backend to prepare. Thread-safe.
#pragma once
#include <vector>

#include "model/match.h"
#include "ops/weights.h"

namespace candor {

class SlotReader final : public RowReader {
 public:
  // `binding` must be kBound and outlive the reader.
  explicit SlotReader(const Binding& binding);
  Result<void> Read(std::size_t first, std::size_t count, float* out) const override;

 private:
  // Rows that a map picks from the stored tensor, before they are scaled.
  Result<void> ReadMapped(std::size_t first, std::size_t count, float* out) const;
  Result<void> ReadStacked(std::size_t first, std::size_t count, float* out) const;
  Result<void> Scale(std::size_t first, std::size_t count, float* out) const;

  const Binding* binding_;
  // The whole of a mapped table that is smaller than the slot: a call of the system for each row would take
  // longer than all else.
  std::vector<float> table_;
  Result<void> loaded_;
};

// What Backend::Prepare is given for a slot. `reader` must outlive the call; the planner has none.
WeightSource SourceOf(const Binding& binding, const RowReader* reader);

// A backend knows the slot alone: the stored tensor that it could not take, with its file, is looked up here.
Error InPackage(Error error, const Binding& binding);

}  // namespace candor
