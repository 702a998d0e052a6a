import { describe, expect, it } from 'vitest';
import { choosePlace, type PlaceRequest } from './choose-place.ts';

const neverCalled = async (): Promise<never> => {
  throw new Error('findDockerObstacle was called although its result does not matter');
};
const available = async (): Promise<undefined> => undefined;
const unavailable = async () => ({ what: 'no Docker engine responds', remedy: 'start Docker' });

const request = (parts: Partial<PlaceRequest>): PlaceRequest => ({
  forced: undefined,
  existingPlace: undefined,
  dataDir: '.annals',
  findDockerObstacle: neverCalled,
  ...parts,
});

describe('choosePlace', () => {
  it('prefers Docker if it is available', async () => {
    expect(await choosePlace(request({ findDockerObstacle: available }))).toEqual({
      place: 'docker',
      reason: 'a Docker engine responds',
    });
  });

  it('falls back to local processes and returns the reason', async () => {
    expect(await choosePlace(request({ findDockerObstacle: unavailable }))).toEqual({
      place: 'local',
      reason: 'no Docker engine responds',
    });
  });

  it('keeps the place that already has data', async () => {
    expect(await choosePlace(request({ existingPlace: 'local' }))).toMatchObject({
      place: 'local',
    });
    await expect(
      choosePlace(request({ existingPlace: 'docker', findDockerObstacle: unavailable })),
    ).rejects.toThrow('The data of .annals is in Docker volumes, but no Docker engine responds');
  });

  it('uses the place that ANNALS_INFRA names', async () => {
    expect(await choosePlace(request({ forced: 'local' }))).toMatchObject({ place: 'local' });
    expect(
      await choosePlace(request({ forced: 'docker', findDockerObstacle: available })),
    ).toMatchObject({ place: 'docker' });
    await expect(
      choosePlace(request({ forced: 'docker', findDockerObstacle: unavailable })),
    ).rejects.toThrow(
      'ANNALS_INFRA=docker selects Docker, but no Docker engine responds: start Docker, or unset ANNALS_INFRA.',
    );
  });

  it('rejects unknown places and a place that differs from the existing one', async () => {
    await expect(
      choosePlace(request({ forced: 'docker', existingPlace: 'local' })),
    ).rejects.toThrow('unset ANNALS_INFRA');
    await expect(choosePlace(request({ forced: 'podman' }))).rejects.toThrow(
      'ANNALS_INFRA is "podman"',
    );
  });
});
