{{- define "outdial.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{/* The longest suffix, -migrations, must fit into 63 characters with the hash of a pod. */}}
{{- define "outdial.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains (include "outdial.name" .) .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "outdial.name" .) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Takes a list: the context, and the component. */}}
{{- define "outdial.selector" -}}
{{- $context := index . 0 -}}
app.kubernetes.io/name: {{ include "outdial.name" $context }}
app.kubernetes.io/instance: {{ $context.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- define "outdial.labels" -}}
{{- $context := index . 0 -}}
helm.sh/chart: {{ printf "%s-%s" $context.Chart.Name $context.Chart.Version | replace "+" "_" }}
app.kubernetes.io/managed-by: {{ $context.Release.Service }}
app.kubernetes.io/version: {{ $context.Chart.AppVersion | quote }}
{{ include "outdial.selector" . }}
{{- end -}}

{{- define "outdial.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "outdial.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "outdial.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{- printf "%s@%s" .repository .digest -}}
{{- else -}}
{{- printf "%s:%s" .repository (default $.Chart.AppVersion .tag) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The longest drain, the last uploads, and what the process itself needs to end. Never a value: shorter, it cuts calls off. */}}
{{- define "outdial.workerGraceSeconds" -}}
{{- add (int .Values.worker.drainSeconds) (int .Values.worker.uploadSeconds) 15 -}}
{{- end -}}

{{/* The delay, 5 s for requests in flight, 3 s for the stores, and a margin. */}}
{{- define "outdial.apiGraceSeconds" -}}
{{- add (int .Values.api.shutdownDelaySeconds) 15 -}}
{{- end -}}

{{- define "outdial.kedaMaxReplicas" -}}
{{- with .Values.worker.keda -}}
{{- if .maxReplicas -}}
{{- int .maxReplicas -}}
{{- else if .trunkChannels -}}
{{- max 1 (div (add (int .trunkChannels) (sub (int $.Values.worker.concurrency) 1)) (int $.Values.worker.concurrency)) -}}
{{- else -}}
0
{{- end -}}
{{- end -}}
{{- end -}}

{{/* How many workers may run at once, besides those that a rollout adds. */}}
{{- define "outdial.mostWorkers" -}}
{{- if .Values.worker.keda.enabled -}}
{{- include "outdial.kedaMaxReplicas" . -}}
{{- else -}}
{{- int .Values.worker.replicas -}}
{{- end -}}
{{- end -}}

{{- define "outdial.publicUrl" -}}
{{- with .Values.api -}}
{{- if .publicUrl -}}
{{- .publicUrl -}}
{{- else if .ingress.enabled -}}
{{- printf "%s://%s" (ternary "https" "http" (ne .ingress.tlsSecret "")) .ingress.host -}}
{{- else if .httpRoute.enabled -}}
{{- printf "https://%s" .httpRoute.host -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "outdial.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "outdial.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* Takes a list: the name of a variable, and the secret with a key of that name. */}}
{{- define "outdial.fromSecret" -}}
- name: {{ index . 0 }}
  valueFrom:
    secretKeyRef:
      name: {{ index . 1 }}
      key: {{ index . 0 }}
{{- end -}}

{{/* The same, of a key that the secret may lack. */}}
{{- define "outdial.fromSecretIfThere" -}}
{{ include "outdial.fromSecret" . }}
      optional: true
{{- end -}}

{{/* Takes settings by name. Helm reads whole numbers as floats, which it prints as 1e+06. */}}
{{- define "outdial.settings" -}}
{{- range $name, $value := . }}
- name: {{ $name }}
  value: {{ if kindIs "float64" $value }}{{ $value | int64 | quote }}{{ else }}{{ $value | quote }}{{ end }}
{{- end }}
{{- end -}}

{{/* What the API and the workers have in common. */}}
{{- define "outdial.sharedEnv" -}}
{{ include "outdial.fromSecret" (list "DATABASE_URL" .Values.externalPostgres.existingSecret) }}
{{ include "outdial.fromSecret" (list "REDIS_URL" .Values.externalRedis.existingSecret) }}
{{ include "outdial.fromSecretIfThere" (list "OUTDIAL_SENTINEL_USERNAME" .Values.externalRedis.existingSecret) }}
{{ include "outdial.fromSecretIfThere" (list "OUTDIAL_SENTINEL_PASSWORD" .Values.externalRedis.existingSecret) }}
{{ include "outdial.fromSecret" (list "OUTDIAL_SECRET_KEY" .Values.secrets.existingSecret) }}
- name: OUTDIAL_DATA_DIR
  value: /data
- name: OUTDIAL_RECORDINGS
  value: {{ .Values.recordings.storage }}
{{- if eq .Values.recordings.storage "s3" }}
{{- with .Values.recordings.s3 }}
- name: OUTDIAL_S3_BUCKET
  value: {{ .bucket | quote }}
{{- if .endpoint }}
- name: OUTDIAL_S3_ENDPOINT
  value: {{ .endpoint | quote }}
{{- end }}
{{- if .region }}
- name: OUTDIAL_S3_REGION
  value: {{ .region | quote }}
{{- end }}
{{- if .prefix }}
- name: OUTDIAL_S3_PREFIX
  value: {{ .prefix | quote }}
{{- end }}
- name: OUTDIAL_S3_FORCE_PATH_STYLE
  value: {{ .forcePathStyle | quote }}
{{- if .existingSecret }}
{{ include "outdial.fromSecret" (list "AWS_ACCESS_KEY_ID" .existingSecret) }}
{{ include "outdial.fromSecret" (list "AWS_SECRET_ACCESS_KEY" .existingSecret) }}
{{- end }}
{{- end }}
{{- end }}
{{- if .Values.egress.allow }}
- name: OUTDIAL_EGRESS_ALLOW
  value: {{ join "," .Values.egress.allow | quote }}
{{- end }}
{{- if .Values.egress.proxy }}
- name: OUTDIAL_EGRESS_PROXY
  value: {{ .Values.egress.proxy | quote }}
{{- end }}
{{- with .Values.traces }}
{{- if .endpoint }}
- name: OTEL_EXPORTER_OTLP_ENDPOINT
  value: {{ .endpoint | quote }}
{{- if .existingSecret }}
{{ include "outdial.fromSecret" (list "OTEL_EXPORTER_OTLP_HEADERS" .existingSecret) }}
{{- end }}
- name: OTEL_TRACES_SAMPLER_ARG
  value: {{ .ratio | quote }}
{{- end }}
{{- end }}
{{- if .Values.extraCa.existingConfigMap }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/outdial/ca/{{ .Values.extraCa.key }}
{{- end }}
# The address of the pod alone: with the network of the host, no other address of the node is opened.
- name: METRICS_HOST
  valueFrom:
    fieldRef:
      fieldPath: status.podIP
- name: LOG_LEVEL
  value: {{ .Values.logLevel }}
{{- end -}}

{{- define "outdial.sharedMounts" -}}
- name: tmp
  mountPath: /tmp
- name: data
  mountPath: /data
{{- if .Values.extraCa.existingConfigMap }}
- name: ca
  mountPath: /etc/outdial/ca
  readOnly: true
{{- end }}
{{- end -}}

{{/* Takes a list: the context, and the size limit of the folder. */}}
{{- define "outdial.sharedVolumes" -}}
{{- $context := index . 0 -}}
- name: tmp
  emptyDir:
    sizeLimit: 1Gi
{{- if eq $context.Values.recordings.storage "filesystem" }}
- name: data
  persistentVolumeClaim:
    claimName: {{ $context.Values.recordings.filesystem.existingClaim }}
{{- else }}
- name: data
  emptyDir:
    sizeLimit: {{ index . 1 }}
{{- end }}
{{- if $context.Values.extraCa.existingConfigMap }}
- name: ca
  configMap:
    name: {{ $context.Values.extraCa.existingConfigMap }}
{{- end }}
{{- end -}}

{{/* Takes a list: the context, and the values of the component. */}}
{{- define "outdial.placement" -}}
{{- $context := index . 0 -}}
{{- with index . 1 -}}
serviceAccountName: {{ include "outdial.serviceAccount" $context }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with $context.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
{{- end -}}
