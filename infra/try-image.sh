#!/usr/bin/env bash
# Builds infra/Dockerfile and runs the image as infra/compose/embedded.yml does: it becomes ready, analyses a file, stops with 0, keeps its data over a stop and
# a kill, and its backup is verified and restored with the commands of docs/operating.md.
# Needs root, Docker Engine and git. Where no registry can be reached, the base image is made of Debian (debootstrap) and Node from npm. Skips, and says so, if something is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
  echo "skipped: $*"
  exit 0
}
[ "$(id -u)" = 0 ] || skip 'not root'
for tool in docker dockerd npm git; do command -v "$tool" >/dev/null || skip "no $tool"; done

work=$(mktemp -d /var/tmp/roughmix-image-XXXXXX)
name=roughmix-try-$$
daemon=
clean_up() {
  docker rm -fv "$name" >/dev/null 2>&1 || true
  docker volume rm "$name-data" "$name-erasures" "$name-backups" "$name-restored" >/dev/null 2>&1 || true
  docker rmi -f "$name" >/dev/null 2>&1 || true
  if [ -n "$daemon" ]; then
    kill "$daemon"
    wait "$daemon" || true
  fi
  rm -rf "$work"
}
trap clean_up EXIT

start_daemon() {
  export DOCKER_HOST=unix://$work/docker.sock
  dockerd --data-root "$work/data" --exec-root "$work/exec" --pidfile "$work/pid" -H "$DOCKER_HOST" >"$work/log" 2>&1 &
  daemon=$!
  for _ in {1..60}; do
    docker info >/dev/null 2>&1 && return
    kill -0 "$daemon" 2>/dev/null || break
    sleep 0.5
  done
  tail -n 3 "$work/log"
  skip 'the Docker daemon does not start'
}
docker info >/dev/null 2>&1 || start_daemon

# The base image as the registry has it, or the same Node on the same Debian.
make_base() {
  local base=$1 version suite
  version=${base#node:} version=${version%%-*}
  suite=${base#*-} suite=${suite%-slim}
  command -v debootstrap >/dev/null || skip "no registry for $base, and no debootstrap"
  debootstrap --variant=minbase "$suite" "$work/root" >/dev/null
  (
    umask 022
    mkdir -p "$work/node" "$work/root/usr/local/etc"
    cd "$work/node"
    npm install --no-save --no-audit --no-fund "node@$version" >/dev/null
    npm install -g --no-audit --no-fund --prefix "$work/root/usr/local" npm@11 >/dev/null
  )
  install -m 755 "$work/node/node_modules/node/bin/node" "$work/root/usr/local/bin/node"
  chroot "$work/root" useradd --uid 1000 --user-group --create-home --shell /bin/bash node
  # What this machine's npm needs to reach its registry.
  {
    echo "registry=$(npm config get registry)"
    if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
      install -D -m 644 "$NODE_EXTRA_CA_CERTS" "$work/root/etc/ssl/certs/ca-certificates.crt"
      echo cafile=/etc/ssl/certs/ca-certificates.crt
    fi
  } >"$work/root/usr/local/etc/npmrc"
  chmod 644 "$work/root/usr/local/etc/npmrc"
  tar -C "$work/root" -c . | docker import -c 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' -c 'CMD ["node"]' - "$base" >/dev/null
  rm -rf "$work/root" "$work/node"
}
base=$(sed -n 's/^FROM \(node:[^ ]*\).*/\1/p' infra/Dockerfile)
docker image inspect "$base" >/dev/null 2>&1 || timeout 60 docker pull -q "$base" >/dev/null 2>&1 || make_base "$base"

# A checkout whose files only their owner can read.
mkdir -m 755 "$work/tree"
(
  umask 077
  git ls-files -z --cached --others --exclude-standard | tar --null -T - -c | tar -C "$work/tree" -x --no-same-permissions
)
# Not every client brings BuildKit.
DOCKER_BUILDKIT=1 docker build --help >/dev/null 2>&1 && export DOCKER_BUILDKIT=1
docker build -q -f "$work/tree/infra/Dockerfile" -t "$name" "$work/tree" >/dev/null

docker run -d --name "$name" --init --read-only --tmpfs /tmp:size=512m,mode=1777 --cap-drop ALL --security-opt no-new-privileges:true --memory 2g \
  -p 127.0.0.1::3000 -e ADMIN_KEY=faults-admin-key-3f9c1d7a5be84e26 -v "$name-data:/data" -v "$name-erasures:/erasures" -v "$name-backups:/backups" "$name" >/dev/null

check() {
  node infra/try-image.mjs "http://$(docker port "$name" 3000 | head -1)" "$1" "$work/state" || {
    docker logs "$name" 2>&1 | tail -n 5
    exit 1
  }
}
check first
for _ in {1..60}; do
  [ "$(docker inspect -f '{{.State.Health.Status}}' "$name")" = healthy ] && break
  sleep 0.5
done
[ "$(docker inspect -f '{{.State.Health.Status}}' "$name")" = healthy ] || {
  echo 'its health check fails'
  exit 1
}
docker stop -t 10 "$name" >/dev/null
[ "$(docker inspect -f '{{.State.ExitCode}}' "$name")" = 0 ] || {
  echo 'it did not stop with 0'
  exit 1
}
docker start "$name" >/dev/null
check 'after a stop'
docker kill -s KILL "$name" >/dev/null
docker start "$name" >/dev/null
check 'after a kill'

docker exec "$name" node backend/dist/operate.js backup --to /backups --keep 2 >/dev/null 2>&1
docker exec "$name" node backend/dist/operate.js backup verify --from /backups
# Into an empty volume, which takes the place of /data.
beside() { docker run --rm -i --init --read-only --tmpfs /tmp --cap-drop ALL -v "$name-restored:/data" -v "$name-erasures:/erasures" -v "$name-backups:/backups" "$name" "$@"; }
docker exec "$name" cat /data/master.key | beside sh -c 'umask 077; cat > /data/master.key'
beside node backend/dist/operate.js restore --from /backups 2>/dev/null | grep -v '"channel":"security"'
useless=$(docker exec "$name" sh -c "find /app/*/dist /app/node_modules/typescript /app/node_modules/@typescript -type f \( -name '*.spec.js' -o -name '*.map' -o -path '*typescript*' \) 2>/dev/null | wc -l")
[ "$useless" = 0 ] || {
  echo "the image carries $useless specs, source maps or files of TypeScript"
  exit 1
}
docker image inspect -f '{{.Size}}' "$name" | awk '{ printf "the image runs: %.0f MB in all, ", $1 / 1e6 }'
docker exec "$name" du -sm /app | awk '{ print $1 " MB of them Roughmix" }'
