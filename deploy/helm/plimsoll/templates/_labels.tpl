{{/* Which labels does every object have? Those that select the pods, and those of the values. */}}
{{- define "plimsoll.selector" -}}
app.kubernetes.io/name: plimsoll
app.kubernetes.io/component: placement-controller
{{- end }}

{{- define "plimsoll.labels" -}}
{{ include "plimsoll.selector" . }}
{{- with .Values.labels }}
{{ toYaml . }}
{{- end }}
{{- end }}
