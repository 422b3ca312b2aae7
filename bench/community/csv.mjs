// What does the ClusterServiceVersion of a community operator look like? YAML as operator-sdk writes it: examples as JSON in
// an annotation, a long description, an icon in base64, permissions, a deployment.
import { folded, markdown, prose } from "./prose.mjs";

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const GROUPS = ['""', "apps", "batch", "networking.k8s.io", "rbac.authorization.k8s.io", "monitoring.coreos.com"];
const RESOURCES = ["pods", "services", "secrets", "configmaps", "deployments", "jobs", "roles", "ingresses", "events"];
const VERBS = ["create", "delete", "get", "list", "patch", "update", "watch"];

/** An icon of some kilobytes: random, as an image is. It is the same in every version. */
export function icon(random) {
  const length = 4 * (2_500 + random(7_500));
  const parts = [];
  for (let at = 0; at < length; at += 4) {
    const bits = random(0x1000000);
    parts.push(BASE64[bits >> 18], BASE64[(bits >> 12) & 63], BASE64[(bits >> 6) & 63], BASE64[bits & 63]);
  }
  return parts.join("");
}

/** The text of a ClusterServiceVersion. */
export function csvText(random, { name, version, replaces, group, kinds, icon, style, textLength, required }) {
  const examples = kinds.map((kind) => ({
    apiVersion: `${group}/v1alpha1`,
    kind,
    metadata: { name: `${kind.toLowerCase()}-sample` },
    spec: Object.fromEntries(
      Array.from({ length: 4 + random(20) }, (_, index) => [
        `field${index}`,
        { value: random(100), text: prose(random, 20) },
      ]),
    ),
  }));
  const block = (text, indent) =>
    text
      .split("\n")
      .map((line) => `${indent}${line}\n`)
      .join("");
  const [first, ...rest] = folded(`description: ${prose(random, 120)}`, 76);
  const owned = kinds.map(
    (kind) => `    - description: ${prose(random, 60)}
      displayName: ${kind}
      kind: ${kind}
      name: ${kind.toLowerCase()}s.${group}
      resources:
      - kind: Deployment
        name: ""
        version: v1
      specDescriptors:
${Array.from({ length: 2 + random(8) }, (_, index) => descriptor(random, index)).join("")}      version: v1alpha1
`,
  );
  const rules = Array.from({ length: 8 + random(25) }, () => rule(random));
  return `apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata:
  annotations:
    alm-examples: |-
${block(JSON.stringify(examples, undefined, 2), "      ")}    capabilities: Seamless Upgrades
    categories: Database, Monitoring
    certified: "false"
    containerImage: quay.io/${name}/${name}:v${version}
    createdAt: "2023-0${1 + random(9)}-11T10:${10 + random(49)}:00Z"
    ${first}
${rest.map((line) => `      ${line}\n`).join("")}    operators.operatorframework.io/builder: operator-sdk-v1.32.0
    operators.operatorframework.io/project_layout: go.kubebuilder.io/v3
    repository: https://github.com/example/${name}
    support: Example, Inc.
  labels:
    operatorframework.io/arch.amd64: supported
    operatorframework.io/arch.arm64: supported
  name: ${name}.v${version}
  namespace: placeholder
spec:
  apiservicedefinitions: {}
  customresourcedefinitions:
    owned:
${owned.join("")}${required.length === 0 ? "" : `    required:\n${required.map((crd) => `    - kind: ${crd.kind}\n      name: ${crd.name}\n      version: ${crd.version}\n`).join("")}`}${markdown(random, "  ", "description", textLength, style)}  displayName: ${name} Operator
  icon:
  - base64data: ${icon}
    mediatype: image/svg+xml
  install:
    spec:
      clusterPermissions:
      - rules:
${rules.join("")}        serviceAccountName: ${name}-controller-manager
      deployments:
${deployment(random, name, version)}      permissions:
      - rules:
${rule(random)}${rule(random)}        serviceAccountName: ${name}-controller-manager
    strategy: deployment
  installModes:
  - supported: ${random(2) === 0}
    type: OwnNamespace
  - supported: ${random(2) === 0}
    type: SingleNamespace
  - supported: false
    type: MultiNamespace
  - supported: true
    type: AllNamespaces
  keywords:
  - ${name}
  - ${prose(random, 5).split(" ")[0].toLowerCase()}-keyword
  links:
  - name: Documentation
    url: https://example.com/${name}/docs
  maintainers:
  - email: maintainers@example.com
    name: The Maintainers
  maturity: stable
  minKubeVersion: 1.${16 + random(10)}.0
  provider:
    name: Example, Inc.
    url: https://example.com
  relatedImages:
  - image: quay.io/${name}/operand:v${version}
    name: operand
${replaces === undefined ? "" : `  replaces: ${replaces}\n`}  version: ${version}
`;
}

function descriptor(random, index) {
  return `      - description: ${prose(random, 50)}
        displayName: Field ${index}
        path: spec.field${index}
        x-descriptors:
        - urn:alm:descriptor:com.tectonic.ui:text
`;
}

function rule(random) {
  const verbs = VERBS.filter(() => random(3) > 0);
  return `        - apiGroups:
          - ${GROUPS[random(GROUPS.length)]}
          resources:
          - ${RESOURCES[random(RESOURCES.length)]}
          - ${RESOURCES[random(RESOURCES.length)]}/status
          verbs:
${(verbs.length === 0 ? ["'*'"] : verbs).map((verb) => `          - ${verb}\n`).join("")}`;
}

function deployment(random, name, version) {
  const variables = Array.from(
    { length: 4 + random(40) },
    (_, index) => `                - name: RELATED_IMAGE_${index}
                  value: quay.io/${name}/image-${index}@sha256:${random(0x7fffffff).toString(16).padStart(64, "0")}
`,
  );
  return `      - label:
          control-plane: controller-manager
        name: ${name}-controller-manager
        spec:
          replicas: 1
          selector:
            matchLabels:
              control-plane: controller-manager
          strategy: {}
          template:
            metadata:
              annotations:
                kubectl.kubernetes.io/default-container: manager
              labels:
                control-plane: controller-manager
            spec:
              containers:
              - args:
                - --health-probe-bind-address=:8081
                - --metrics-bind-address=127.0.0.1:8080
                - --leader-elect
                command:
                - /manager
                env:
                - name: WATCH_NAMESPACE
                  valueFrom:
                    fieldRef:
                      fieldPath: metadata.annotations['olm.targetNamespaces']
${variables.join("")}                image: quay.io/${name}/${name}:v${version}
                livenessProbe:
                  httpGet:
                    path: /healthz
                    port: 8081
                  initialDelaySeconds: 15
                  periodSeconds: 20
                name: manager
                resources:
                  limits:
                    cpu: 500m
                    memory: 128Mi
                  requests:
                    cpu: 10m
                    memory: 64Mi
                securityContext:
                  allowPrivilegeEscalation: false
                  capabilities:
                    drop:
                    - ALL
              securityContext:
                runAsNonRoot: true
              serviceAccountName: ${name}-controller-manager
              terminationGracePeriodSeconds: 10
`;
}
