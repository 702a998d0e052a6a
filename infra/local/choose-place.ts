import { OperatorError } from './operator-error.ts';

/** Where Kafka and Postgres run when the environment names none. */
export type InfraPlace = 'docker' | 'local';

/** Why Docker cannot be used, and what to do, as parts of a sentence. */
export interface DockerObstacle {
  readonly what: string;
  readonly remedy: string;
}

export interface PlaceQuestion {
  /** `ANNALS_INFRA`. */
  readonly forced: string | undefined;
  /** Where the data of this data directory lies already; it stays there. */
  readonly begunWith: InfraPlace | undefined;
  readonly dataDir: string;
  /** Undefined if it can be used. Asked only if it matters. */
  readonly findDockerObstacle: () => Promise<DockerObstacle | undefined>;
}

export interface ChosenPlace {
  readonly place: InfraPlace;
  /** Why, for the person at the terminal. */
  readonly reason: string;
}

export async function choosePlace(question: PlaceQuestion): Promise<ChosenPlace> {
  const { begunWith, dataDir, findDockerObstacle } = question;
  const forced = parsePlace(question.forced);
  if (forced !== undefined && begunWith !== undefined && forced !== begunWith) {
    throw new OperatorError(
      `The data of ${dataDir} lies in ${describe(begunWith)}, and ANNALS_INFRA=${forced} asks for ${describe(forced)}: unset ANNALS_INFRA, or set ANNALS_DATA_DIR to a new directory.`,
    );
  }
  const wanted = forced ?? begunWith;
  const reason = forced === undefined ? 'as in earlier starts' : `ANNALS_INFRA=${forced}`;
  if (wanted === 'local') return { place: 'local', reason };

  const obstacle = await findDockerObstacle();
  if (wanted === undefined && obstacle !== undefined)
    return { place: 'local', reason: obstacle.what };
  if (wanted === undefined) return { place: 'docker', reason: 'a Docker engine answers' };
  if (obstacle === undefined) return { place: 'docker', reason };
  throw new OperatorError(
    forced === 'docker'
      ? `ANNALS_INFRA=docker asks for Docker, but ${obstacle.what}: ${obstacle.remedy}, or unset ANNALS_INFRA.`
      : `The data of ${dataDir} lies in Docker volumes, but ${obstacle.what}: ${obstacle.remedy}, or set ANNALS_DATA_DIR to a new directory.`,
  );
}

function parsePlace(value: string | undefined): InfraPlace | undefined {
  if (value === undefined || value === '') return undefined;
  if (value === 'docker' || value === 'local') return value;
  throw new OperatorError(`ANNALS_INFRA is "${value}": set it to local or docker, or unset it.`);
}

const describe = (place: InfraPlace): string =>
  place === 'docker' ? 'Docker volumes' : 'local processes';
