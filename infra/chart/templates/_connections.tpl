{{/* The address and account of Kafka, and the Secrets with the credentials. Arguments: root, Secret with values of the chart. */}}
{{- define "annals.kafka" -}}
{{- $root := index . 0 -}}
{{- $name := include "annals.name" $root -}}
{{- if $root.Values.strimzi.enabled -}}
brokers: {{ $name }}-kafka-bootstrap:9093
isTls: true
ca: { name: {{ $name }}-cluster-ca-cert, key: ca.crt }
mechanism: scram-sha-512
username: {{ $name }}-client
password: { name: {{ $name }}-client, key: password }
{{- else -}}
{{- with $root.Values.kafka -}}
brokers: {{ join "," .brokers | quote }}
isTls: {{ .tls.enabled }}
{{- with .tls.caSecret }}{{ if .name }}
ca: { name: {{ .name }}, key: {{ .key }} }
{{- end }}{{ end }}
{{- with .tls.clientSecret }}
client: {{ . }}
{{- end }}
{{- with .sasl }}{{ if .mechanism }}
mechanism: {{ .mechanism }}
username: {{ .username | quote }}
isInClear: {{ .allowPlainWithoutTls }}
{{- if .existingSecret.name }}
password: { name: {{ .existingSecret.name }}, key: {{ .existingSecret.key }} }
{{- else }}
password: { name: {{ index $ 1 }}, key: kafka-password }
{{- end }}
{{- end }}{{ end }}
{{- end }}
{{- end }}
{{- end }}

{{/* The addresses of Postgres: environment variable, Secret and key of each. Arguments as above. */}}
{{- define "annals.postgres" -}}
{{- with (index . 0).Values.postgres -}}
{{- if .existingSecret.name -}}
name: {{ .existingSecret.name }}
urls:
  DATABASE_URL: {{ .existingSecret.urlKey }}
  {{- with .existingSecret.sessionUrlKey }}
  DATABASE_SESSION_URL: {{ . }}
  {{- end }}
  {{- with .existingSecret.readUrlKey }}
  DATABASE_READ_URL: {{ . }}
  {{- end }}
{{- else if .url -}}
name: {{ index $ 1 }}
urls:
  DATABASE_URL: database-url
  {{- if .sessionUrl }}
  DATABASE_SESSION_URL: database-session-url
  {{- end }}
  {{- if .readUrl }}
  DATABASE_READ_URL: database-read-url
  {{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Credentials that are in the values. */}}
{{- define "annals.credentials" -}}
{{- with .Values.kafka.sasl.password }}
kafka-password: {{ . | quote }}
{{- end }}
{{- with .Values.postgres.url }}
database-url: {{ . | quote }}
{{- end }}
{{- with .Values.postgres.sessionUrl }}
database-session-url: {{ . | quote }}
{{- end }}
{{- with .Values.postgres.readUrl }}
database-read-url: {{ . | quote }}
{{- end }}
{{- end }}

{{/* Variables without secrets. */}}
{{- define "annals.settings" -}}
{{- $keys := "/var/lib/annals/keys" -}}
{{- $kafka := include "annals.kafka" (list . "") | fromYaml -}}
ANNALS_DATA_DIR: {{ $keys }}
ANNALS_SECRET_KEY_FILE: {{ $keys }}/secret-key
ANNALS_SEED_FILE: {{ $keys }}/seed.json
ANNALS_URL: http://{{ include "annals.name" . }}-api:{{ .Values.service.port }}
# Nodes send new connections to a stopping pod for some seconds.
DRAIN_TIME: 10s
ANNALS_TOPIC_PREFIX: {{ .Values.kafka.topicPrefix | quote }}
ANNALS_RECORD_PARTITIONS: {{ .Values.kafka.recordPartitions | quote }}
KAFKA_BROKERS: {{ $kafka.brokers | quote }}
{{- if $kafka.isTls }}
KAFKA_TLS: "true"
{{- end }}
{{- if $kafka.ca }}
KAFKA_TLS_CA_FILE: {{ $keys }}/kafka-ca.crt
{{- end }}
{{- if $kafka.client }}
KAFKA_TLS_CERT_FILE: {{ $keys }}/kafka-client.crt
KAFKA_TLS_KEY_FILE: {{ $keys }}/kafka-client.key
{{- end }}
{{- if $kafka.mechanism }}
KAFKA_SASL_MECHANISM: {{ $kafka.mechanism }}
KAFKA_SASL_USERNAME: {{ $kafka.username | quote }}
KAFKA_SASL_PASSWORD_FILE: {{ $keys }}/kafka-password
{{- end }}
{{- if $kafka.isInClear }}
KAFKA_ON_THIS_MACHINE: "true"
{{- end }}
{{- range $variable, $key := (include "annals.postgres" (list . "") | fromYaml).urls }}
{{ $variable }}_FILE: {{ $keys }}/{{ $variable }}
{{- end }}
DATABASE_NAMED_STATEMENTS: {{ .Values.postgres.namedStatements | quote }}
{{- range $variable, $value := .Values.settings }}
{{ $variable }}: {{ kindIs "float64" $value | ternary (int64 $value) $value | quote }}
{{- end }}
{{- end }}

{{/* Variables from pods and Secrets. Arguments: root, component. */}}
{{- define "annals.env" -}}
{{- $root := index . 0 -}}
- name: INTERNAL_ADVERTISED_HOST
  valueFrom: { fieldRef: { fieldPath: status.podIP } }
{{- if and $root.Values.cloudnativepg.enabled (ne (index . 1) "dispatcher") }}
{{- $name := printf "%s-postgres" (include "annals.name" $root) }}
{{- $path := "5432/annals?sslmode=verify-full&sslrootcert=/var/lib/annals/keys/postgres-ca.crt" }}
- name: POSTGRES_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ $name }}-app, key: password } }
- name: DATABASE_URL
  value: postgres://annals:$(POSTGRES_PASSWORD)@{{ $name }}-{{ $root.Values.cloudnativepg.pooler.enabled | ternary "pooler" "rw" }}:{{ $path }}
- name: DATABASE_SESSION_URL
  value: postgres://annals:$(POSTGRES_PASSWORD)@{{ $name }}-rw:{{ $path }}
{{- if $root.Values.cloudnativepg.readReplica }}
- name: DATABASE_READ_URL
  value: postgres://annals:$(POSTGRES_PASSWORD)@{{ $name }}-ro:{{ $path }}
{{- end }}
{{- end }}
{{- with $root.Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Sources of the volume with the secrets of a component. Dispatchers do not use Postgres. Arguments: root, component. */}}
{{- define "annals.secrets" -}}
{{- $root := index . 0 -}}
{{- $component := index . 1 -}}
{{- $keys := include "annals.keys" $root -}}
{{- $own := printf "%s-%s" (include "annals.name" $root) (eq $component "setup" | ternary "setup" "connections") -}}
{{- $kafka := include "annals.kafka" (list $root $own) | fromYaml -}}
- secret: { name: {{ $keys }}, items: [{ key: secret-key, path: secret-key }] }
{{- if has $component (list "api" "maintenance") }}
- secret: { name: {{ $keys }}, items: [{ key: seed.json, path: seed.json }] }
- secret: { name: {{ $keys }}, items: [{ key: access.json, path: access.json }], optional: true }
{{- end }}
{{- with $kafka.password }}
- secret: { name: {{ .name }}, items: [{ key: {{ .key }}, path: kafka-password }] }
{{- end }}
{{- with $kafka.ca }}
- secret: { name: {{ .name }}, items: [{ key: {{ .key }}, path: kafka-ca.crt }] }
{{- end }}
{{- with $kafka.client }}
- secret: { name: {{ . }}, items: [{ key: tls.crt, path: kafka-client.crt }, { key: tls.key, path: kafka-client.key }] }
{{- end }}
{{- if ne $component "dispatcher" }}
{{- $postgres := include "annals.postgres" (list $root $own) | fromYaml }}
{{- range $variable, $key := $postgres.urls }}
- secret: { name: {{ $postgres.name }}, items: [{ key: {{ $key }}, path: {{ $variable }} }] }
{{- end }}
{{- if $root.Values.cloudnativepg.enabled }}
- secret: { name: {{ include "annals.name" $root }}-postgres-ca, items: [{ key: ca.crt, path: postgres-ca.crt }] }
{{- else if $root.Values.postgres.caSecret.name }}
- secret: { name: {{ $root.Values.postgres.caSecret.name }}, items: [{ key: {{ $root.Values.postgres.caSecret.key }}, path: postgres-ca.crt }] }
{{- end }}
{{- end }}
{{- end }}
