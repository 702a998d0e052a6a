import { expect, it } from 'vitest';
import { storageJar } from '../../infra/local/kafka/libraries/patch-broker.ts';
import { kafkaVersion } from '../../infra/prerequisites.mjs';
import { readProjectFile } from './source-files.ts';

const composeFile = readProjectFile('docker-compose.yml');

it('names the image of this version in compose and for tests', () => {
  const { version } = JSON.parse(readProjectFile('package.json'));
  expect(composeFile).toContain(`image: annals:\${ANNALS_VERSION:-${version}}`);
  expect(readProjectFile('test/support/annals/start-in-containers.ts')).toContain(
    `'annals:${version}'`,
  );
});

it('runs the same Kafka and Postgres under compose, npm start and tests', () => {
  const containers = readProjectFile('infra/local/docker/start-containers.ts');
  const standIns = readProjectFile('test/support/build-images.sh');
  for (const part of ['apache/kafka', 'postgres']) {
    const [image = 'none'] = new RegExp(`${part}:[0-9.]+`).exec(composeFile) ?? [];
    expect(containers).toContain(`'${image}'`);
    expect(standIns).toContain(image);
    if (part === 'apache/kafka') {
      expect(image).toBe(`${part}:${kafkaVersion}`);
      expect(readProjectFile('infra/docker/Dockerfile')).toContain(
        `--from=${image} /opt/kafka/libs/${storageJar} kafka/`,
      );
    }
  }
});
