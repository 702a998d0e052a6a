#!/bin/bash
# Like the official image: initialises an empty PGDATA from POSTGRES_*, meanwhile serves only a socket, then the network.
set -euo pipefail
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA"
  chown -R postgres:postgres /var/lib/postgresql
  exec setpriv --reuid=postgres --regid=postgres --clear-groups "$0" "$@"
fi
export HOME=/var/lib/postgresql
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  if [ -n "${POSTGRES_PASSWORD_FILE:-}" ]; then POSTGRES_PASSWORD=$(<"$POSTGRES_PASSWORD_FILE"); fi
  user=${POSTGRES_USER:-postgres}
  # shellcheck disable=SC2086
  initdb --pgdata="$PGDATA" --username="$user" --pwfile=<(printf '%s\n' "${POSTGRES_PASSWORD:?}") \
    --auth-host=scram-sha-256 --auth-local=trust ${POSTGRES_INITDB_ARGS:-}
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  pg_ctl -D "$PGDATA" -w -o "-c listen_addresses='' -k /var/run/postgresql" start
  if [ "${POSTGRES_DB:-$user}" != postgres ]; then
    psql -v ON_ERROR_STOP=1 -U "$user" -d postgres -c "create database \"${POSTGRES_DB:-$user}\""
  fi
  pg_ctl -D "$PGDATA" -w -m fast stop
fi
exec "$@" -c listen_addresses='*' -k /var/run/postgresql
