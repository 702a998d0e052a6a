import { getContainerRuntimeClient, ImageName } from 'testcontainers';
import { isDockerResponding } from '../../infra/local/docker/find-docker-engine.ts';
import { fetchImages } from '../../infra/local/docker/start-containers.ts';

/**
 * Returns the reason why tests in containers cannot run here; undefined if they can. They always need Kafka
 * and Postgres.
 */
export async function findDockerObstacle(
  otherImages: readonly string[] = [],
): Promise<string | undefined> {
  if (!(await isDockerResponding(process.env))) return 'no Docker engine responds';
  const missing =
    (await fetchImages(['kafka', 'postgres']))?.what ?? (await fetchOthers(otherImages));
  return missing && `the engine cannot provide the images: ${missing}`;
}

async function fetchOthers(names: readonly string[]): Promise<string | undefined> {
  const { image } = await getContainerRuntimeClient();
  try {
    for (const name of names.map((each) => ImageName.fromString(each))) {
      if (!(await image.exists(name))) await image.pull(name);
    }
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** Returns a suffix for titles of skipped tests, so that the run shows the reason. */
export const becauseOf = (obstacle: string | undefined): string =>
  obstacle === undefined ? '' : ` (skipped: ${obstacle})`;
