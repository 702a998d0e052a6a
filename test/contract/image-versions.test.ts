import { expect, it } from 'vitest';
import { storageJar } from '../../infra/kafka-patch/patch-broker.ts';
import { kafkaVersion } from '../../infra/prerequisites.mjs';
import { readProjectFile } from './source-files.ts';

const composeFile = readProjectFile('docker-compose.yml');

it('uses the image of this version in docker-compose.yml and in tests', () => {
  const { version } = JSON.parse(readProjectFile('package.json'));
  expect(composeFile).toContain(`image: annals:\${ANNALS_VERSION:-${version}}`);
  expect(readProjectFile('test/support/annals/start-in-containers.ts')).toContain(
    `'annals:${version}'`,
  );
});

it('uses the same version of HAProxy in docker-compose.yml and tests', () => {
  const [, image = 'none'] = /image: (haproxy:[0-9.]+)/.exec(composeFile) ?? [];
  expect(readProjectFile('test/support/build-images.sh')).toContain(`[haproxy]=${image}`);
});

it('uses the same versions of Kafka and Postgres in docker-compose.yml, npm start and tests', () => {
  const containers = readProjectFile('infra/local/docker/start-containers.ts');
  const testImages = readProjectFile('test/support/build-images.sh');
  for (const part of ['apache/kafka', 'postgres']) {
    const [image = 'none'] = new RegExp(`${part}:[0-9.]+`).exec(composeFile) ?? [];
    expect(containers).toContain(`'${image}'`);
    expect(testImages).toContain(image);
    if (part === 'apache/kafka') {
      expect(image).toBe(`${part}:${kafkaVersion}`);
      expect(readProjectFile('infra/docker/Dockerfile')).toContain(
        `--from=${image} /opt/kafka/libs/${storageJar} kafka/`,
      );
    }
  }
});
