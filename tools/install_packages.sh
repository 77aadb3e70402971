#!/usr/bin/env bash
# Installs what is missing of the named sets of tools/packages.txt: install_packages.sh build [check] [all].
# Needs root only if something is missing, and then uses sudo when run by another user. Safe to run twice.
# CANDOR_SKIP_INSTALL=1 skips it, for systems where the same things come from elsewhere.
set -euo pipefail
cd "$(dirname "$0")/.."
list=tools/packages.txt
[ "$#" -gt 0 ] || { echo "usage: $0 build [check] [all]" >&2; exit 2; }
if [ "${CANDOR_SKIP_INSTALL:-0}" = 1 ]; then
  echo "packages: not looked at (CANDOR_SKIP_INSTALL=1)"
  exit 0
fi

system=unknown
if [ -r /etc/os-release ]; then
  system=$(. /etc/os-release && echo "${ID:-unknown} ${VERSION_ID:-}")
fi
wanted=()
for set in "$@"; do
  while read -r package; do wanted+=("$package"); done < <(awk -v s="$set" '$1 == s { print $2 }' "$list")
done
if [ "$system" != "debian 12" ]; then
  {
    echo "This installs packages on Debian 12 only; this system is: $system."
    echo "Install the counterparts of these Debian packages yourself (why: $list), then run again with"
    echo "CANDOR_SKIP_INSTALL=1 in the environment:"
    echo "  ${wanted[*]}"
  } >&2
  exit 1
fi

missing=()
for package in "${wanted[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
if [ "${#missing[@]}" = 0 ]; then
  echo "packages: all ${#wanted[@]} are installed"
  exit 0
fi

root=()
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo > /dev/null; then
    echo "These packages are missing, and installing them needs root or sudo:" >&2
    echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  root=(sudo)
fi
echo "packages: installing ${missing[*]}"
apt=("${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq)
# A package source that has nothing to do with us may be unreachable; the installation below decides.
"${apt[@]}" update > /dev/null || echo "packages: not every package source could be refreshed; going on"
"${apt[@]}" install -y --no-install-recommends "${missing[@]}" > /dev/null
echo "packages: installed"
