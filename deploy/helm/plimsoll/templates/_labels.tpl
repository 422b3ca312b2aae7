{{/* Which labels does every object have? Those that select the pods, those by which Helm's charts are known, and those of the values.
The argument is a dict: "root", and the "component" of the controller. */}}
{{- define "plimsoll.selector" -}}
app.kubernetes.io/name: plimsoll
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "plimsoll.labels" -}}
{{ include "plimsoll.selector" . }}
app.kubernetes.io/instance: {{ quote .root.Release.Name }}
app.kubernetes.io/version: {{ quote .root.Chart.AppVersion }}
app.kubernetes.io/managed-by: {{ quote .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | quote }}
{{- with .root.Values.labels }}
{{ toYaml . }}
{{- end }}
{{- end }}
