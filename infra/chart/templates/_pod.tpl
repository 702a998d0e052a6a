{{/*
The pod template of every component. Keys: root, component, args or command, resources; optionally pod, restartPolicy,
and claim, the name of a claim that is mounted at /backup.
*/}}
{{- define "annals.podTemplate" -}}
{{- $root := .root -}}
{{- $pod := mergeOverwrite (deepCopy $root.Values.pod) (deepCopy (.pod | default dict)) -}}
{{- $isService := has .component (list "api" "query" "projector" "dispatcher") -}}
metadata:
  labels:
    {{- include "annals.labels" (list $root .component) | nindent 4 }}
    {{- with $pod.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    # Replaces pods when their settings change.
    checksum/settings: {{ print (include "annals.settings" $root) (include "annals.credentials" $root) | sha256sum }}
    {{- with $pod.annotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  {{- with $root.Values.image.pullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . }}
    {{- end }}
  {{- end }}
  serviceAccountName: {{ $pod.serviceAccountName }}
  automountServiceAccountToken: false
  # Otherwise Services named `annals` or `kafka` would set variables such as ANNALS_PORT.
  enableServiceLinks: false
  {{- with .restartPolicy }}
  restartPolicy: {{ . }}
  {{- end }}
  # A service stops within 15 s after DRAIN_TIME.
  terminationGracePeriodSeconds: {{ $isService | ternary 30 5 }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: { type: RuntimeDefault }
  {{- with $pod.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with $pod.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $pod.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $pod.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if and $isService $pod.spreadOver }}
  topologySpreadConstraints:
    {{- range $pod.spreadOver }}
    - topologyKey: {{ . }}
      maxSkew: 1
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "annals.selector" (list $root $.component) | nindent 10 }}
      matchLabelKeys: [pod-template-hash]
    {{- end }}
  {{- end }}
  containers:
    - name: {{ .component }}
      image: {{ include "annals.image" $root }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      {{- with .command }}
      command: {{ toJson . }}
      {{- end }}
      {{- with .args }}
      args: {{ toJson . }}
      {{- end }}
      {{- if ne .component "setup" }}
      envFrom: [{ configMapRef: { name: {{ include "annals.name" $root }}-settings } }]
      {{- end }}
      env:
        {{- if eq .component "setup" }}
        # Before an upgrade, the ConfigMap has the former settings.
        {{- range $variable, $value := include "annals.settings" $root | fromYaml }}
        - { name: {{ $variable }}, value: {{ $value | quote }} }
        {{- end }}
        {{- end }}
        {{- include "annals.env" (list $root .component) | nindent 8 }}
      {{- if $isService }}
      ports:
        {{- if has .component (list "api" "query") }}
        - { name: http, containerPort: 8080 }
        {{- end }}
        - { name: internal, containerPort: 9090 }
      startupProbe: { httpGet: { path: /livez, port: internal }, periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 60 }
      livenessProbe: { httpGet: { path: /livez, port: internal }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 3 }
      readinessProbe: { httpGet: { path: /readyz, port: internal }, periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 2 }
      {{- end }}
      resources:
        {{- toYaml .resources | nindent 8 }}
      securityContext:
        readOnlyRootFilesystem: true
        allowPrivilegeEscalation: false
        capabilities: { drop: [ALL] }
      volumeMounts:
        - { name: secrets, mountPath: /var/lib/annals/keys, readOnly: true }
        - { name: tmp, mountPath: /tmp }
        {{- if .claim }}
        - { name: backup, mountPath: /backup }
        {{- end }}
  volumes:
    - name: secrets
      projected:
        defaultMode: 288 # 0440
        sources:
          {{- include "annals.secrets" (list $root .component) | nindent 10 }}
    - { name: tmp, emptyDir: { sizeLimit: 512Mi } }
    {{- with .claim }}
    - { name: backup, persistentVolumeClaim: { claimName: {{ . }} } }
    {{- end }}
{{- end }}
