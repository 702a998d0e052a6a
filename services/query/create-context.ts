import { createFindWordIndexes } from '../../shared/search/find-word-indexes.ts';
import { createPrepare } from '../../shared/search/run-statement.ts';
import type { OpenedContext, QueryContext } from './context.ts';
import { createCommonTrigrams } from './lists/common-trigrams.ts';
import { createReadRecord } from './records/read-record.ts';
import { createReadPost } from './stream/mark-posts.ts';

export function createContext(opened: OpenedContext): QueryContext {
  const context: QueryContext = {
    ...opened,
    ...opened.reads,
    prepare: createPrepare(),
    findCommonTrigrams: createCommonTrigrams(opened.primary.searchPool),
    findWordIndexes: createFindWordIndexes(opened.primary.pool),
    readRecord: (query) => readRecord(query),
  };
  const readRecord = createReadPost(context, createReadRecord(context));
  return context;
}
