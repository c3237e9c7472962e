#!/bin/sh
# Back up the site while it runs: backup.sh DIRECTORY makes DIRECTORY/<time>/ with database.dump and media.tar.gz.
#
# DATABASE_URL says where PostgreSQL is, MEDIA_DIR where the uploads are. The uploads are read after the database, so
# that each picture which the database knows is there. A directory whose name ends in .unfinished is none to rely on.
set -eu

name=$(date -u +%Y%m%dT%H%M%SZ)
place=$1/$name
mkdir -p "$place.unfinished"
pg_dump --format=custom --no-owner --no-privileges --file="$place.unfinished/database.dump" --dbname="$DATABASE_URL"
if [ -d "$MEDIA_DIR" ]; then
    tar -czf "$place.unfinished/media.tar.gz" -C "$MEDIA_DIR" .
fi
mv "$place.unfinished" "$place"
echo "$place"
