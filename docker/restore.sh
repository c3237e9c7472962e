#!/bin/sh
# Put a back-up in place of what is there: restore.sh DIRECTORY, as backup.sh made it. Stop the site before.
#
# DATABASE_URL says where PostgreSQL is (the database must exist), MEDIA_DIR where the uploads are. Either the whole
# database is as it was, or nothing of it has changed.
set -eu

place=$1
[ -f "$place/database.dump" ] || { echo "$place is no back-up" >&2; exit 1; }
case $place in *.unfinished) echo "$place was not finished" >&2; exit 1 ;; esac
sql=$(mktemp)
trap 'rm -f "$sql"' EXIT
# A table that is newer than the back-up would stay and stand in the way of the next migration.
echo 'DROP SCHEMA public CASCADE; CREATE SCHEMA public;' > "$sql"
pg_restore --no-owner --no-privileges --file=- "$place/database.dump" >> "$sql"
psql --quiet --single-transaction --set=ON_ERROR_STOP=1 --output=/dev/null --file="$sql" --dbname="$DATABASE_URL"
if [ -f "$place/media.tar.gz" ]; then
    mkdir -p "$MEDIA_DIR"
    find "$MEDIA_DIR" -mindepth 1 -delete
    tar -xzf "$place/media.tar.gz" -C "$MEDIA_DIR"
fi
echo "Everything is as it was in $place"
