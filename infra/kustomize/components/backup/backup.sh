#!/bin/sh
# Backs up the servers beside running processes: log, then vault, then files, so that each later copy contains what the earlier ones need.
#   LOG_DIR, FILES_DIR   the data folders of EventStoreDB and of the S3 server; a missing FILES_DIR is left out
#   MONGO_URL_FILE       where the vault is
#   BACKUP_DIR           where a folder named after the time is written; BACKUP_DAYS: older ones are removed
# Keys and the list of erased people are kept apart from backups: docs/real-servers.md, "Backups".
set -eu
umask 077

now=$(date -u +%Y-%m-%dT%H%M%SZ)
to=$BACKUP_DIR/$now.partial
mkdir "$to"

# Appends the files that standard input names. A chunk that grows meanwhile is no error (exit code 1): what counts is what the checkpoints name.
add() {
  code=0
  tar --append --file "$to/log.tar" --directory "$LOG_DIR" --null --no-recursion --files-from - || code=$?
  [ "$code" -le 1 ] || exit "$code"
}
# EventStoreDB's own order: the index's checkpoints, the index, the log's checkpoints, the chunks.
cd "$LOG_DIR"
tar --create --file "$to/log.tar" --files-from /dev/null
find index -type f -name '*.chk' -print0 2>/dev/null | add
find index -type f ! -name '*.chk' -print0 2>/dev/null | add
find . -maxdepth 1 -type f -name '*.chk' ! -name truncate.chk -print0 | add
find . -maxdepth 1 -type f -name 'chunk-*' -print0 | sort -z | add

# The address contains a password, so it is not an argument.
config=$(mktemp)
trap 'rm -f "$config"' EXIT
printf 'uri: "%s"\n' "$(cat "$MONGO_URL_FILE")" > "$config"
# Read models are rebuilt from the log.
mongodump --config "$config" --quiet --excludeCollectionsWithPrefix=read. --gzip --archive="$to/vault.gz"

# versitygw keeps metadata in extended attributes.
if [ -n "${FILES_DIR:-}" ]; then tar --create --xattrs --file "$to/files.tar" --directory "$FILES_DIR" .; fi

sync
mv "$to" "$BACKUP_DIR/$now"
find "$BACKUP_DIR" -mindepth 1 -maxdepth 1 -type d -name '20*Z' -mtime "+${BACKUP_DAYS:-30}" -exec rm -r {} +
# Left over by a backup that was cut off.
find "$BACKUP_DIR" -mindepth 1 -maxdepth 1 -type d -name '20*Z.partial' -mtime +1 -exec rm -r {} +
echo "backed up to $BACKUP_DIR/$now: $(du -sh "$BACKUP_DIR/$now" | cut -f1)"
