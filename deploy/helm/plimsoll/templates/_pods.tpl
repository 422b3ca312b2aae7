{{/* What do the pods of all controllers have? Where they run, and how they are asked. The argument is that of the labels. */}}
{{- define "plimsoll.scheduling" -}}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ quote . }}
  {{- end }}
{{- end }}
{{- with .root.Values.priorityClassName }}
priorityClassName: {{ quote . }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.topologySpreadConstraints }}
topologySpreadConstraints:
  {{- range . }}
  - {{ toYaml . | nindent 4 | trim }}
    labelSelector:
      matchLabels:
        {{- include "plimsoll.selector" $ | nindent 8 }}
  {{- end }}
{{- end }}
{{- end }}

{{- define "plimsoll.image" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end }}

{{- define "plimsoll.probes" -}}
ports:
  - name: metrics
    containerPort: 8080
  - name: health
    containerPort: 8081
livenessProbe:
  httpGet:
    path: /livez
    port: health
  initialDelaySeconds: 10
  periodSeconds: 10
  timeoutSeconds: 5
readinessProbe:
  httpGet:
    path: /readyz
    port: health
  periodSeconds: 5
  timeoutSeconds: 5
{{- end }}

{{/* Further flags. "args" is the list, "name" its name in the values, "own" the flags that the chart sets: a flag is given once. */}}
{{- define "plimsoll.extraArgs" -}}
{{- $own := printf "^--(%s)(=|$)" .own }}
{{- range .args }}
{{- if regexMatch $own . }}
{{- fail (printf "%s: %s: this flag belongs to the chart: its values, or the namespace of the release" $.name .) }}
{{- end }}
- {{ quote . }}
{{- end }}
{{- end }}
