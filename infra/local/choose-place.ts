import { OperatorError } from './operator-error.ts';

/** The place where Kafka and Postgres run if the environment does not configure them. */
export type InfraPlace = 'docker' | 'local';

/** Why Docker is unavailable and how to fix it, each as part of a sentence. */
export interface DockerObstacle {
  readonly what: string;
  readonly remedy: string;
}

export interface PlaceRequest {
  /** `ANNALS_INFRA`. */
  readonly forced: string | undefined;
  /**
   * The place of the data directory's existing data, which is never moved; undefined if the directory contains no data.
   */
  readonly existingPlace: InfraPlace | undefined;
  readonly dataDir: string;
  /** Returns undefined if Docker is available. Called only if the result matters. */
  readonly findDockerObstacle: () => Promise<DockerObstacle | undefined>;
}

export interface ChosenPlace {
  readonly place: InfraPlace;
  /** Why this place was chosen, for the message in the terminal. */
  readonly reason: string;
}

export async function choosePlace(request: PlaceRequest): Promise<ChosenPlace> {
  const { existingPlace, dataDir, findDockerObstacle } = request;
  const forced = parsePlace(request.forced);
  if (forced !== undefined && existingPlace !== undefined && forced !== existingPlace) {
    throw new OperatorError(
      `The data of ${dataDir} is in ${describe(existingPlace)}, but ANNALS_INFRA=${forced} selects ${describe(forced)}: unset ANNALS_INFRA, or set ANNALS_DATA_DIR to a new directory.`,
    );
  }
  const wanted = forced ?? existingPlace;
  const reason = forced === undefined ? 'as in earlier starts' : `ANNALS_INFRA=${forced}`;
  if (wanted === 'local') return { place: 'local', reason };

  const obstacle = await findDockerObstacle();
  if (wanted === undefined && obstacle !== undefined)
    return { place: 'local', reason: obstacle.what };
  if (wanted === undefined) return { place: 'docker', reason: 'a Docker engine responds' };
  if (obstacle === undefined) return { place: 'docker', reason };
  throw new OperatorError(
    forced === 'docker'
      ? `ANNALS_INFRA=docker selects Docker, but ${obstacle.what}: ${obstacle.remedy}, or unset ANNALS_INFRA.`
      : `The data of ${dataDir} is in Docker volumes, but ${obstacle.what}: ${obstacle.remedy}, or set ANNALS_DATA_DIR to a new directory.`,
  );
}

function parsePlace(value: string | undefined): InfraPlace | undefined {
  if (value === undefined || value === '') return undefined;
  if (value === 'docker' || value === 'local') return value;
  throw new OperatorError(`ANNALS_INFRA is "${value}": set it to local or docker, or unset it.`);
}

const describe = (place: InfraPlace): string =>
  place === 'docker' ? 'Docker volumes' : 'local processes';
