{{- define "annals.name" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride }}
{{- else if contains .Chart.Name .Release.Name }}
{{- .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" (.Release.Name | trunc 33 | trimSuffix "-") .Chart.Name }}
{{- end }}
{{- end }}

{{/* Labels that never change. Arguments: root, component; an empty component selects all pods of the release. */}}
{{- define "annals.selector" -}}
app.kubernetes.io/name: annals
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
{{- with index . 1 }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{/* Arguments: root, component. */}}
{{- define "annals.labels" -}}
{{- $root := index . 0 -}}
{{ include "annals.selector" . }}
app.kubernetes.io/part-of: annals
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" }}
{{- end }}

{{/* Arguments: root, component. */}}
{{- define "annals.metadata" -}}
{{- $root := index . 0 -}}
name: {{ include "annals.name" $root }}-{{ index . 1 }}
namespace: {{ $root.Release.Namespace }}
labels:
  {{- include "annals.labels" . | nindent 2 }}
{{- end }}

{{- define "annals.image" -}}
{{- with .Values.image }}
{{- if .digest }}
{{- printf "%s@%s" .repository .digest }}
{{- else }}
{{- printf "%s:%s" .repository (.tag | default $.Chart.AppVersion) }}
{{- end }}
{{- end }}
{{- end }}

{{- define "annals.keys" -}}
{{- .Values.keys.existingSecret | default (printf "%s-keys" (include "annals.name" .)) }}
{{- end }}

{{/* True if there is a Job that creates topics. With Strimzi, its custom resources create them. */}}
{{- define "annals.hasSetup" -}}
{{- if and .Values.setup.enabled (not .Values.strimzi.enabled) (not .Values.maintenance.enabled) }}true{{ end }}
{{- end }}

{{/* Components with HTTP or health checks, as far as they are enabled; separated by spaces. */}}
{{- define "annals.services" -}}
api {{ if .Values.query.enabled }}query {{ end }}projector dispatcher
{{- end }}
