const kafka = { brokers: ['kafka-0.kafka:9093', 'kafka-1.kafka:9093'] };
const postgres = { existingSecret: { name: 'postgres' } };

/** Values that together use every option of the chart. */
export const valueSets: Readonly<Record<string, object>> = {
  external: { kafka, postgres },
  inline: {
    kafka: {
      ...kafka,
      sasl: { mechanism: 'plain', password: 'kafka "password"', allowPlainWithoutTls: true },
    },
    postgres: {
      url: 'postgres://annals:secret@pooler:6432/annals',
      sessionUrl: 'postgres://annals:secret@db:5432/annals',
      readUrl: 'postgres://annals:secret@replica:5432/annals',
      namedStatements: false,
    },
    settings: {
      API_EXPORT_MAX_BYTES: 104_857_601,
      API_METRICS: true,
      LOG_LEVEL: 'debug',
      WEBHOOK_QUEUE_INTERVAL: '0',
    },
    service: { type: 'LoadBalancer', port: 443, annotations: { 'example.org/name': 'annals' } },
  },
  secured: {
    fullnameOverride: 'records',
    image: {
      repository: 'registry.example/annals',
      digest: `sha256:${'ab'.repeat(32)}`,
      pullSecrets: ['registry'],
    },
    keys: { existingSecret: 'annals-keys-of-production' },
    kafka: {
      ...kafka,
      tls: { enabled: true, caSecret: { name: 'kafka-ca' }, clientSecret: 'kafka-client' },
      sasl: { mechanism: 'scram-sha-512', existingSecret: { name: 'kafka-account' } },
    },
    postgres: {
      existingSecret: {
        name: 'postgres',
        sessionUrlKey: 'session-url',
        readUrlKey: 'read-url',
      },
      caSecret: { name: 'postgres-ca' },
    },
    extraEnv: [{ name: 'TZ', value: 'UTC' }],
    networkPolicy: {
      clients: [{ namespaceSelector: {} }],
      egress: { enabled: true, kafkaPorts: [9094], extra: [{ ports: [{ port: 443 }] }] },
    },
    pod: {
      annotations: { 'example.org/team': 'crm' },
      labels: { team: 'crm' },
      nodeSelector: { disk: 'fast' },
      priorityClassName: 'high',
      tolerations: [{ key: 'crm', operator: 'Exists' }],
    },
    api: { pod: { nodeSelector: { disk: 'slow' }, affinity: { nodeAffinity: {} } } },
  },
  everything: {
    kafka,
    postgres,
    query: { enabled: true, autoscaling: { enabled: true } },
    keda: { enabled: true, prometheusUrl: 'http://prometheus.monitoring:9090' },
    settings: { TRUSTED_PROXIES: '10.0.0.0/8' },
    ingress: {
      enabled: true,
      className: 'nginx',
      hosts: ['crm.example.org'],
      tlsSecret: 'crm-tls',
      annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '0' },
    },
    httpRoute: {
      enabled: true,
      parentRefs: [{ name: 'public', namespace: 'gateways' }],
      hostnames: ['crm.example.org'],
    },
    monitoring: {
      serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
      prometheusRule: {
        enabled: true,
        labels: { release: 'prometheus' },
        docsUrl: 'https://git.example/annals/docs',
      },
      dashboard: { enabled: true },
    },
    backup: { enabled: true, existingClaim: 'backups' },
  },
  operators: {
    strimzi: {
      enabled: true,
      version: '4.1.1',
      storageClassName: 'fast',
      config: { 'log.flush.interval.ms': 1000 },
    },
    cloudnativepg: {
      enabled: true,
      storageClassName: 'fast',
      parameters: { shared_buffers: '512MB' },
      pooler: { enabled: true },
    },
    networkPolicy: { egress: { enabled: true } },
  },
  maintenance: {
    kafka,
    postgres,
    query: { enabled: true, autoscaling: { enabled: true } },
    maintenance: { enabled: true },
    backup: { enabled: true, existingClaim: 'backups' },
  },
  least: {
    kafka,
    postgres,
    networkPolicy: { enabled: false },
    setup: { enabled: false },
    api: { replicas: 1, pod: { spreadOver: [] } },
  },
};
