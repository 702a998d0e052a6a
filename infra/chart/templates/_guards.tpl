{{/* Fails with all problems of the values that the schema cannot express. */}}
{{- define "annals.guards" -}}
{{- $v := .Values -}}
{{- $keys := include "annals.keys" . -}}
{{- $problems := list -}}
{{- if and (not $v.kafka.brokers) (not $v.strimzi.enabled) -}}
{{- $problems = append $problems "Kafka is missing: set kafka.brokers to the addresses of your brokers, or strimzi.enabled=true." -}}
{{- end -}}
{{- if and $v.kafka.brokers $v.strimzi.enabled -}}
{{- $problems = append $problems "kafka.brokers and strimzi.enabled are both set: set only one of them." -}}
{{- end -}}
{{- $postgres := list -}}
{{- if $v.postgres.url }}{{ $postgres = append $postgres "postgres.url" }}{{ end -}}
{{- if $v.postgres.existingSecret.name }}{{ $postgres = append $postgres "postgres.existingSecret.name" }}{{ end -}}
{{- if $v.cloudnativepg.enabled }}{{ $postgres = append $postgres "cloudnativepg.enabled" }}{{ end -}}
{{- if not $postgres -}}
{{- $problems = append $problems "Postgres is missing: set postgres.existingSecret.name to a Secret with its address, or postgres.url, or cloudnativepg.enabled=true." -}}
{{- end -}}
{{- if gt (len $postgres) 1 -}}
{{- $problems = append $problems (printf "%s are all set: set only one of them." (join ", " $postgres)) -}}
{{- end -}}
{{- if and (not $v.postgres.url) (or $v.postgres.sessionUrl $v.postgres.readUrl) -}}
{{- $problems = append $problems "postgres.sessionUrl and postgres.readUrl need postgres.url: set it, or name all addresses in postgres.existingSecret." -}}
{{- end -}}
{{- with $v.kafka.sasl -}}
{{- $hasPassword := or .password .existingSecret.name -}}
{{- if and .mechanism (not $hasPassword) -}}
{{- $problems = append $problems "kafka.sasl.mechanism needs a password: set kafka.sasl.existingSecret.name, or kafka.sasl.password." -}}
{{- end -}}
{{- if and $hasPassword (not .mechanism) -}}
{{- $problems = append $problems "The password of Kafka has no effect: set kafka.sasl.mechanism to plain, scram-sha-256 or scram-sha-512." -}}
{{- end -}}
{{- if and .password .existingSecret.name -}}
{{- $problems = append $problems "kafka.sasl.password and kafka.sasl.existingSecret.name are both set: set only one of them." -}}
{{- end -}}
{{- if and (eq .mechanism "plain") (not $v.kafka.tls.enabled) (not .allowPlainWithoutTls) -}}
{{- $problems = append $problems "kafka.sasl.mechanism=plain would send the password in clear text: set kafka.tls.enabled=true, use scram-sha-512, or accept it with kafka.sasl.allowPlainWithoutTls=true." -}}
{{- end -}}
{{- end -}}
{{- if and (not $v.kafka.tls.enabled) (or $v.kafka.tls.caSecret.name $v.kafka.tls.clientSecret) -}}
{{- $problems = append $problems "The certificates of Kafka have no effect: set kafka.tls.enabled=true." -}}
{{- end -}}
{{- if and (or $v.ingress.enabled $v.httpRoute.enabled) (not $v.settings.TRUSTED_PROXIES) -}}
{{- $problems = append $problems "settings.TRUSTED_PROXIES is missing: set it to the network of the pods of your Ingress controller or Gateway, such as 10.0.0.0/8. Otherwise all clients share one address, and ten wrong passwords block every sign-in." -}}
{{- end -}}
{{- if and $v.ingress.enabled (not $v.ingress.hosts) -}}
{{- $problems = append $problems "ingress.hosts is empty: add the name of the host." -}}
{{- end -}}
{{- if and $v.httpRoute.enabled (not $v.httpRoute.parentRefs) -}}
{{- $problems = append $problems "httpRoute.parentRefs is empty: add the name of your Gateway." -}}
{{- end -}}
{{- if and $v.query.autoscaling.enabled (not $v.query.enabled) -}}
{{- $problems = append $problems "query.autoscaling.enabled needs query.enabled=true." -}}
{{- end -}}
{{- if gt (int $v.query.autoscaling.minReplicas) (int $v.query.autoscaling.maxReplicas) -}}
{{- $problems = append $problems "query.autoscaling.minReplicas exceeds query.autoscaling.maxReplicas." -}}
{{- end -}}
{{- range $value, $replicas := dict "projector.replicas" $v.projector.replicas "dispatcher.replicas" $v.dispatcher.replicas "keda.maxReplicas" ($v.keda.enabled | ternary $v.keda.maxReplicas 0) -}}
{{- if gt (int $replicas) (int $v.kafka.recordPartitions) -}}
{{- $problems = append $problems (printf "%s=%d exceeds kafka.recordPartitions=%d: further processes would be idle." $value (int $replicas) (int $v.kafka.recordPartitions)) -}}
{{- end -}}
{{- end -}}
{{- if and $v.keda.enabled (not $v.keda.prometheusUrl) -}}
{{- $problems = append $problems "keda.enabled needs keda.prometheusUrl, the address of the Prometheus that scrapes Annals." -}}
{{- end -}}
{{- if gt (int $v.keda.minReplicas) (int $v.keda.maxReplicas) -}}
{{- $problems = append $problems "keda.minReplicas exceeds keda.maxReplicas." -}}
{{- end -}}
{{- if and $v.cloudnativepg.enabled $v.cloudnativepg.readReplica (ne (int $v.cloudnativepg.instances) 2) -}}
{{- $problems = append $problems "cloudnativepg.readReplica needs cloudnativepg.instances=2, because Annals reads from a single replica: set cloudnativepg.readReplica=false for any other number." -}}
{{- end -}}
{{- if and $v.backup.enabled (not $v.backup.existingClaim) -}}
{{- $problems = append $problems "backup.enabled needs backup.existingClaim: create a PersistentVolumeClaim for the backups, and set its name." -}}
{{- end -}}
{{- if and .Release.IsUpgrade (not $v.keys.existingSecret) (not (lookup "v1" "Secret" .Release.Namespace $keys)) -}}
{{- $problems = append $problems (printf "The Secret %s cannot be read: restore it from your copy, because other keys cannot open the stored secrets, or name it in keys.existingSecret. Render upgrades with --dry-run=server." $keys) -}}
{{- end -}}
{{- if $problems -}}
{{- fail (printf "\n\n%s\n" (join "\n" $problems)) -}}
{{- end -}}
{{- end }}
