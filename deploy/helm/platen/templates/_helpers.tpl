{{- define "platen.name" -}}
{{ .root.Release.Name }}-{{ .component }}
{{- end }}

{{/* What selects the pods of a component. It never changes, because a Deployment cannot change it. */}}
{{- define "platen.selector" -}}
app.kubernetes.io/name: platen
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "platen.labels" -}}
{{ include "platen.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{/* All pods of this release. */}}
{{- define "platen.pods" -}}
app.kubernetes.io/name: platen
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* The settings of all services. */}}
{{- define "platen.settings" -}}
PUBLIC_URL: {{ .Values.publicUrl | quote }}
NATS_URL: {{ .Values.nats.url | quote }}
{{- with .Values.nats.user }}
NATS_USER: {{ . | quote }}
{{- end }}
EVENT_STORE_URL: {{ .Values.eventStore.url | quote }}
OBJECT_STORE_URL: {{ .Values.objectStore.url | quote }}
HOST: 0.0.0.0
ADMIN_PORT: "9464"
{{- range $name, $value := .Values.settings }}
{{ $name }}: {{ include "platen.text" $value }}
{{- end }}
{{- end }}

{{/* A value of a setting as text. Helm reads numbers as floats, and would write a large one as 1e+08. */}}
{{- define "platen.text" -}}
{{ kindIs "string" . | ternary . (toJson .) | quote }}
{{- end }}

{{/* What the pods of a component have for a setting. `root`, `component`, `name`; `env` of the chart; `default` of the service. */}}
{{- define "platen.setting" -}}
{{- $own := index .root.Values .component "settings" -}}
{{- $values := merge (dict) $own .env .root.Values.settings (dict .name .default) -}}
{{- $value := index $values .name -}}
{{- $name := .name -}}
{{- range .root.Values.extraEnv -}}
{{- if and (eq .name $name) (hasKey . "value") -}}{{- $value = .value -}}{{- end -}}
{{- end -}}
{{ $value | toString }}
{{- end }}

{{/* How long a client may wait for a document. */}}
{{- define "platen.syncTimeoutMs" -}}
{{ include "platen.setting" (dict "root" . "component" "gateway" "name" "SYNC_TIMEOUT_MS" "env" (dict) "default" 35000) }}
{{- end }}

{{/* The port of clients of Gotenberg, or nothing. */}}
{{- define "platen.gotenbergPort" -}}
{{- $env := dict -}}
{{- with .Values.gateway.gotenbergPort }}{{ $env = dict "GOTENBERG_PORT" (. | int64 | toString) }}{{ end -}}
{{- $port := include "platen.setting" (dict "root" . "component" "gateway" "name" "GOTENBERG_PORT" "env" $env "default" 0) | trim -}}
{{- if ne $port "0" }}{{ $port }}{{ end -}}
{{- end }}

{{/* What documents may fetch. */}}
{{- define "platen.egress" -}}
{{ include "platen.setting" (dict
  "root" . "component" "renderer" "name" "RENDER_EGRESS" "env" (dict "RENDER_EGRESS" .Values.renderer.egress) "default" "") }}
{{- end }}

{{/*
The seconds until a pod is killed: at most 20 s after its longest work the process exits, and not before 60 s
(shared/service-kit/src/host/shutdown-limit.ts). Ten seconds are a reserve. `workMs`; `before`: seconds until the process gets the signal.
*/}}
{{- define "platen.grace" -}}
{{ add (max 60 (add 20 (div (add .workMs 999) 1000))) 10 (.before | default 0) }}
{{- end }}

{{- define "platen.image" -}}
{{- $name := eq .component "cli" | ternary "platen" (print "platen-" .component) -}}
{{- $image := printf "%s/%s" .root.Values.image.registry $name -}}
{{- with index .root.Values.image.digests .component -}}
{{ $image }}@{{ . }}
{{- else -}}
{{ $image }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- define "platen.fromSecret" -}}
{{- /* With credentials in a file, NATS has no password. */ -}}
{{- $optional := eq .name "NATS_PASSWORD" | ternary ", optional: true" "" -}}
- name: {{ .name }}
  valueFrom: { secretKeyRef: { name: {{ .secretName | default .root.Values.secretName }}, key: {{ .name }}{{ $optional }} } }
{{- end }}

{{- define "platen.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "platen.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: {{ .seccompProfile | default (dict "type" "RuntimeDefault") | toJson }}
{{- end }}

{{/*
A Deployment with its disruption budget. `root`, `component`, and of the component:
`grace` seconds until it is killed, `secrets` of the Secret `secretName` (default: that of all), `env`, `volumes` (name, path, volume), `gotenbergPort`.
*/}}
{{- define "platen.deployment" -}}
{{- $values := index .root.Values .component -}}
{{- $isHttp := eq .component "gateway" -}}
{{- $port := $isHttp | ternary "http" "operations" -}}
{{- /* A list of variables that has a name twice is merged wrongly by an upgrade. */ -}}
{{- $given := list -}}
{{- range .root.Values.extraEnv }}{{ $given = append $given .name }}{{ end -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "platen.name" . }}
  labels: {{- include "platen.labels" . | nindent 4 }}
spec:
  {{- if not (and .root.Values.keda.enabled (eq .component "renderer")) }}
  replicas: {{ $values.replicas }}
  {{- end }}
  selector:
    matchLabels: {{- include "platen.selector" . | nindent 6 }}
  # A new gateway or notifier is ready when it has read the event log.
  progressDeadlineSeconds: {{ add 600 .root.Values.gateway.startSeconds }}
  strategy: { type: RollingUpdate, rollingUpdate: { maxUnavailable: 0, maxSurge: {{ .maxSurge | default 1 }} } }
  template:
    metadata:
      labels: {{- include "platen.labels" . | nindent 8 }}
      annotations:
        # New settings start new pods.
        checksum/config: {{ include "platen.settings" .root | sha256sum }}
        {{- if not .root.Values.serviceMonitor.enabled }}
        prometheus.io/scrape: "true"
        prometheus.io/port: {{ $isHttp | ternary "3000" "9464" | quote }}
        prometheus.io/path: /metrics
        {{- end }}
    spec:
      serviceAccountName: {{ .root.Release.Name }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ .grace }}
      {{- with .root.Values.image.pullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .root.Values.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .root.Values.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .root.Values.spreadOver }}
      topologySpreadConstraints:
        {{- range . }}
        - maxSkew: 1
          topologyKey: {{ . }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "platen.selector" $ | nindent 14 }}
          # Otherwise the pods that an update replaces would count.
          matchLabelKeys: [pod-template-hash]
        {{- end }}
      {{- end }}
      securityContext: {{- include "platen.podSecurity" $values | nindent 8 }}
      containers:
        - name: {{ .component }}
          image: {{ include "platen.image" . }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          envFrom: [{ configMapRef: { name: {{ .root.Release.Name }} } }]
          env:
            {{- range $name, $value := merge (dict) $values.settings .env }}
            {{- if not (has $name $given) }}
            - { name: {{ $name }}, value: {{ include "platen.text" $value }} }
            {{- end }}
            {{- end }}
            {{- range .secrets }}
            {{- if not (has . $given) }}
            {{- include "platen.fromSecret" (dict "root" $.root "name" . "secretName" $.secretName) | nindent 12 }}
            {{- end }}
            {{- end }}
            {{- with .root.Values.extraEnv }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          ports:
            - { name: {{ $port }}, containerPort: {{ $isHttp | ternary 3000 9464 }} }
            {{- with .gotenbergPort }}
            - { name: gotenberg, containerPort: {{ . }} }
            {{- end }}
          {{- if $isHttp }}
          # It listens when its views are up to date. Readiness does not depend on the backing services: an outage would remove
          # every gateway from the Service, but reads still work and other requests get a 503 with the reason.
          {{- end }}
          startupProbe:
            httpGet: { path: {{ $isHttp | ternary "/readyz" "/livez" }}, port: {{ $port }} }
            periodSeconds: 5
            timeoutSeconds: 5
            failureThreshold: {{ div (.startSeconds | default 120) 5 }}
          readinessProbe:
            httpGet: { path: {{ $isHttp | ternary "/livez" "/readyz" }}, port: {{ $port }} }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 3
          livenessProbe:
            httpGet: { path: /livez, port: {{ $port }} }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          {{- if $isHttp }}
          lifecycle:
            # Until no new requests arrive.
            preStop: { exec: { command: [sleep, "5"] } }
          {{- end }}
          resources: {{- toYaml $values.resources | nindent 12 }}
          securityContext: {{- include "platen.containerSecurity" . | nindent 12 }}
          volumeMounts:
            {{- range .volumes }}
            - { name: {{ .name }}, mountPath: {{ .path }} }
            {{- end }}
            {{- with .root.Values.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      volumes:
        {{- range .volumes }}
        - { name: {{ .name }}, emptyDir: {{ .emptyDir | toJson }} }
        {{- end }}
        {{- with .root.Values.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "platen.name" . }}
  labels: {{- include "platen.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  # A pod that does not work must not keep a node from being drained.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{- include "platen.selector" . | nindent 6 }}
{{- end }}

{{/* What a pod with the command line has besides its container. */}}
{{- define "platen.cliPlacement" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext: {{- include "platen.podSecurity" (dict) | nindent 2 }}
volumes:
  - { name: tmp, emptyDir: {} }
  {{- with .Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* Its container, without what it runs. */}}
{{- define "platen.cliContainer" -}}
image: {{ include "platen.image" (dict "root" . "component" "cli") }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
resources:
  requests: { cpu: 50m, memory: 128Mi }
  limits: { memory: 512Mi }
securityContext: {{- include "platen.containerSecurity" . | nindent 2 }}
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  {{- with .Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
