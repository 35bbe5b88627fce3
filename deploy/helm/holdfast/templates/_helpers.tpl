{{- define "holdfast.name" -}}
{{- printf "%s-%s" .root.Release.Name .program | trunc 52 | trimSuffix "-" -}}
{{- end }}

{{- define "holdfast.selector" -}}
app.kubernetes.io/name: holdfast
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .program }}
{{- end }}

{{- define "holdfast.labels" -}}
{{ include "holdfast.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- /* holdfast.yml: what the chart knows better goes over what values say. */ -}}
{{- define "holdfast.config" -}}
{{- $own := dict
  "service" (dict "host" "0.0.0.0" "port" 8080 "instanceId" "${POD_NAME}" "stateDirectory" "/holdfast/data/state")
  "trainer" (dict "host" "0.0.0.0" "port" 8081 "instanceId" "${POD_NAME}") -}}
{{- if .Values.tokensSecret }}
{{- $_ := set $own "security" (dict "tokensFile" "/holdfast/secrets/tokens") -}}
{{- end }}
{{- $config := deepCopy .Values.config -}}
{{- $_ := set $config "holdfast" (mergeOverwrite (deepCopy $config.holdfast) $own) -}}
{{- toYaml $config -}}
{{- end }}

{{- /* The pods of a program: root, program, port, values, grace. */ -}}
{{- define "holdfast.pod" -}}
metadata:
  labels:
    {{- include "holdfast.labels" . | nindent 4 }}
  annotations:
    # A changed configuration restarts the pods, one by one.
    checksum/config: {{ printf "%s%s" (include "holdfast.config" .root) (toYaml .root.Values.files) | sha256sum }}
spec:
  terminationGracePeriodSeconds: 60
  automountServiceAccountToken: false
  enableServiceLinks: false
  {{- with .root.Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: { type: RuntimeDefault }
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "holdfast.selector" . | nindent 10 }}
  containers:
    - name: {{ .program }}
      image: "{{ with .root.Values.image.registry }}{{ trimSuffix "/" . }}/{{ end }}holdfast-{{ .program }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      ports:
        - { name: http, containerPort: {{ .port }} }
      env:
        - name: POD_NAME
          valueFrom: { fieldRef: { fieldPath: metadata.name } }
        {{- with .values.extraEnv }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with .root.Values.envFrom }}
      envFrom:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      # Alive: restart if not. Ready: started; REST and rollouts wait for it. /health/scoring and /health/joining say more.
      startupProbe:
        httpGet: { path: /health/liveness, port: http }
        periodSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /health/liveness, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 3
      readinessProbe:
        httpGet: { path: /health/readiness, port: http }
        periodSeconds: 5
        timeoutSeconds: 5
      resources:
        {{- toYaml .values.resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      volumeMounts:
        - { name: config, mountPath: /holdfast/config, readOnly: true }
        - { name: data, mountPath: /holdfast/data }
        - { name: tmp, mountPath: /tmp }
        {{- if and .root.Values.tokensSecret (eq .program "service") }}
        - { name: tokens, mountPath: /holdfast/secrets, readOnly: true }
        {{- end }}
  {{- with .values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  volumes:
    - name: config
      configMap: { name: {{ include "holdfast.name" (dict "root" .root "program" "config") }} }
    - name: tmp
      emptyDir: {}
    {{- if and .root.Values.tokensSecret (eq .program "service") }}
    - name: tokens
      secret: { secretName: {{ .root.Values.tokensSecret }}, defaultMode: 0440 }
    {{- end }}
    {{- if .emptyData }}
    - name: data
      emptyDir: {}
    {{- end }}
{{- end }}
