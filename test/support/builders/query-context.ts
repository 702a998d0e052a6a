import type { OpenedContext, QueryContext } from '../../../services/query/context.ts';
import { createContext } from '../../../services/query/create-context.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { createFileReads } from '../../../shared/files/file-reads.ts';
import { topicNames } from '../../../shared/kafka/topics.ts';
import type { Reads } from '../../../shared/search/open-reads.ts';

type Parts = Partial<OpenedContext> & Reads & { authenticate: OpenedContext['authenticate'] };

/** Returns the context of the query side over one database without a replica, whose directory has no records. */
export function queryContext({ pool, searchPool, ...parts }: Parts): QueryContext {
  const reads = { pool, searchPool };
  return createContext({
    directory: createDirectory(stockDefinitions),
    untilConsistent: () => Promise.resolve(),
    catchUp: () => Promise.resolve(),
    openSecret: (sealed) => sealed,
    topics: topicNames('annals'),
    isMailOn: false,
    files: createFileReads(pool, undefined),
    primary: reads,
    reads,
    ...parts,
  });
}
