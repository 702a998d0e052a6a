import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCommandConfig } from '../../services/command/config.ts';
import { loadDispatcherConfig } from '../../services/dispatcher/config.ts';
import { loadProjectorConfig } from '../../services/projector/config.ts';
import { loadQueryConfig } from '../../services/query/config.ts';
import { becauseOf } from '../support/docker-obstacle.ts';
import { createSelfSigned } from '../support/receivers/certificates.ts';
import { provideHelms } from './chart-programs.ts';
import { findObject, type KubernetesObject, renderObjects } from './render-chart.ts';
import { valueSets } from './value-sets.ts';

const { helm, obstacle } = await provideHelms();
const options = { timeout: 60_000 };
const certificate = await createSelfSigned('kafka');

describe.skipIf(obstacle !== undefined)(`the chart${becauseOf(obstacle)}`, options, () => {
  it.each(Object.keys(valueSets))('gives services settings that they accept: %s', async (name) => {
    const objects = await renderObjects(helm, valueSets[name] ?? {});
    const services = objects.filter(({ kind }) => kind === 'Deployment');
    expect(services.length).toBeGreaterThanOrEqual(3);
    for (const deployment of services) {
      const component = deployment.metadata.labels['app.kubernetes.io/component'] ?? '';
      const load = loaders[component];
      if (load !== undefined)
        withSettings(objects, deployment, (env) => expect(() => load(env)).not.toThrow());
    }
  });

  it('gives dispatchers no address of Postgres, and only apis the first users', async () => {
    const inline = await renderObjects(helm, valueSets['inline'] ?? {});
    const filesOf = (component: string): string =>
      JSON.stringify(secretItems(findObject(inline, 'Deployment', `annals-${component}`)));
    expect(filesOf('dispatcher')).not.toContain('DATABASE');
    expect(filesOf('projector')).toContain('DATABASE_SESSION_URL');
    expect(filesOf('projector')).not.toContain('seed.json');
    expect(filesOf('api')).toContain('seed.json');
  });
});

const loaders: Readonly<Record<string, (env: NodeJS.ProcessEnv) => unknown>> = {
  api: loadCommandConfig,
  query: loadQueryConfig,
  projector: loadProjectorConfig,
  dispatcher: loadDispatcherConfig,
};

/** Files in the volume with the secrets, by their paths in it. */
function secretItems({ spec }: KubernetesObject): readonly string[] {
  const volumes: readonly { readonly name: string; readonly projected: SecretVolume }[] =
    spec.template.spec.volumes;
  const sources = volumes.find(({ name }) => name === 'secrets')?.projected.sources ?? [];
  return sources.flatMap(({ secret }) => secret.items.map(({ path }) => path));
}

interface SecretVolume {
  readonly sources: readonly {
    readonly secret: { readonly items: readonly { readonly path: string }[] };
  }[];
}

const keysDirectory = '/var/lib/annals/keys';

/** Runs `use` with the environment of the container, and files with plausible secrets. */
function withSettings(
  objects: readonly KubernetesObject[],
  deployment: KubernetesObject,
  use: (env: NodeJS.ProcessEnv) => void,
): void {
  const directory = mkdtempSync(join(tmpdir(), 'annals-keys-'));
  try {
    for (const path of secretItems(deployment))
      writeFileSync(join(directory, path), contentOf(path));
    const name = deployment.metadata.name.replace(/-[a-z]+$/, '-settings');
    const { data } = findObject(objects, 'ConfigMap', name);
    const own: readonly { readonly name: string; readonly value?: string }[] =
      deployment['spec'].template.spec.containers[0].env;
    const image = { HOST: '0.0.0.0', INTERNAL_HOST: '0.0.0.0', INTERNAL_PORT: '9090' };
    const env = { ...image, ...data };
    for (const one of own)
      env[one.name] = one.value?.replace('$(POSTGRES_PASSWORD)', 'secret') ?? '10.1.2.3';
    use(
      Object.fromEntries(
        Object.entries<string>(env).map(([variable, value]) => [
          variable,
          value.replaceAll(keysDirectory, directory),
        ]),
      ),
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function contentOf(path: string): string {
  if (path === 'secret-key') return 'ab'.repeat(32);
  if (path.startsWith('DATABASE')) return 'postgres://annals:secret@db:5432/annals';
  if (path.endsWith('.crt')) return certificate.cert;
  if (path.endsWith('.key')) return certificate.key;
  return 'secret';
}
