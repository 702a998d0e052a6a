import { followDirectory } from '../../shared/directory/directory-follower.ts';
import type { Directory } from '../../shared/domain/directory/directory.ts';
import type { Installation } from './installation.ts';

/** Reads the current directory. */
export async function readDirectory({ kafka, topics, log }: Installation): Promise<Directory> {
  const follower = followDirectory(kafka, topics.directory, log);
  try {
    await follower.catchUp();
    return follower.directory;
  } finally {
    await follower.close();
  }
}
