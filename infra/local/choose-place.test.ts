import { describe, expect, it } from 'vitest';
import { choosePlace, type PlaceQuestion } from './choose-place.ts';

const unasked = async (): Promise<never> => {
  throw new Error('Docker was asked although its answer does not matter');
};
const answering = async (): Promise<undefined> => undefined;
const silent = async () => ({ what: 'no Docker engine answers', remedy: 'start Docker' });

const question = (parts: Partial<PlaceQuestion>): PlaceQuestion => ({
  forced: undefined,
  begunWith: undefined,
  dataDir: '.annals',
  findDockerObstacle: unasked,
  ...parts,
});

describe('choosePlace', () => {
  it('prefers Docker where it can be used', async () => {
    expect(await choosePlace(question({ findDockerObstacle: answering }))).toEqual({
      place: 'docker',
      reason: 'a Docker engine answers',
    });
  });

  it('falls back to local processes, and says why', async () => {
    expect(await choosePlace(question({ findDockerObstacle: silent }))).toEqual({
      place: 'local',
      reason: 'no Docker engine answers',
    });
  });

  it('stays where the data is', async () => {
    expect(await choosePlace(question({ begunWith: 'local' }))).toMatchObject({ place: 'local' });
    await expect(
      choosePlace(question({ begunWith: 'docker', findDockerObstacle: silent })),
    ).rejects.toThrow('The data of .annals lies in Docker volumes, but no Docker engine answers');
  });

  it('obeys ANNALS_INFRA', async () => {
    expect(await choosePlace(question({ forced: 'local' }))).toMatchObject({ place: 'local' });
    expect(
      await choosePlace(question({ forced: 'docker', findDockerObstacle: answering })),
    ).toMatchObject({ place: 'docker' });
    await expect(
      choosePlace(question({ forced: 'docker', findDockerObstacle: silent })),
    ).rejects.toThrow(
      'ANNALS_INFRA=docker asks for Docker, but no Docker engine answers: start Docker, or unset ANNALS_INFRA.',
    );
  });

  it('refuses to leave data behind, and values it does not know', async () => {
    await expect(choosePlace(question({ forced: 'docker', begunWith: 'local' }))).rejects.toThrow(
      'unset ANNALS_INFRA',
    );
    await expect(choosePlace(question({ forced: 'podman' }))).rejects.toThrow(
      'ANNALS_INFRA is "podman"',
    );
  });
});
