import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';

export const chart = join(import.meta.dirname, '..', '..', 'infra', 'chart');

/** A Kubernetes object, as far as tests read it. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: its shape depends on the kind.
  readonly [part: string]: any;
}

/** Returns the rendered text. Rejects with the message of Helm. */
export async function renderText(
  helm: string,
  values: object,
  more: readonly string[] = [],
): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'annals-chart-'));
  try {
    const file = join(directory, 'values.json');
    writeFileSync(file, JSON.stringify(values));
    // Without the flag, a Helm that `go install` compiled assumes an old version.
    const kubernetes = ['--kube-version', '1.35.0', '--namespace', 'crm'];
    const args = ['template', 'annals', chart, ...kubernetes, '--values', file, ...more];
    const { stdout } = await promisify(execFile)(helm, args, { maxBuffer: 2 ** 26 });
    return stdout;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function parseObjects(text: string): readonly KubernetesObject[] {
  return parseAllDocuments(text).flatMap((document) => {
    const object: KubernetesObject | null = document.toJS();
    return object === null ? [] : [object];
  });
}

export async function renderObjects(
  helm: string,
  values: object,
): Promise<readonly KubernetesObject[]> {
  return parseObjects(await renderText(helm, values));
}

/** Returns the only object of this kind and name. */
export function findObject(
  objects: readonly KubernetesObject[],
  kind: string,
  name: string,
): KubernetesObject {
  const found = objects.filter((one) => one.kind === kind && one.metadata.name === name);
  const [object] = found;
  if (object === undefined || found.length > 1)
    throw new Error(`There are ${found.length} objects ${kind}/${name}.`);
  return object;
}

/** Returns the pod templates of all objects that create pods, with the kind and name of their object. */
export function findPods(objects: readonly KubernetesObject[]) {
  return objects.flatMap((object) => {
    const template = object['spec']?.jobTemplate?.spec?.template ?? object['spec']?.template;
    return template?.spec?.containers === undefined
      ? []
      : [{ name: `${object.kind}/${object.metadata.name}`, template }];
  });
}
