import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import kafkajs, { type AclEntry } from 'kafkajs';

export type DocumentedRight = Omit<AclEntry, 'principal' | 'host'>;

const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;
const page = join(import.meta.dirname, '..', '..', '..', 'docs', 'operations', 'install.md');

const resourceTypes: Readonly<Record<string, number>> = {
  topic: AclResourceTypes.TOPIC,
  group: AclResourceTypes.GROUP,
  'transactional-id': AclResourceTypes.TRANSACTIONAL_ID,
  cluster: AclResourceTypes.CLUSTER,
};
const operations: Readonly<Record<string, number>> = {
  Create: AclOperationTypes.CREATE,
  Read: AclOperationTypes.READ,
  Write: AclOperationTypes.WRITE,
  Delete: AclOperationTypes.DELETE,
  DescribeConfigs: AclOperationTypes.DESCRIBE_CONFIGS,
  AlterConfigs: AclOperationTypes.ALTER_CONFIGS,
};

/** Reads the ACLs that the lines `allow …` of docs/operations/install.md grant, for another topic prefix. */
export function readDocumentedRights(topicPrefix: string): readonly DocumentedRight[] {
  const lines = readFileSync(page, 'utf8').match(/^allow --.+$/gm) ?? [];
  const rights = lines.flatMap((line) => toRights(line.replaceAll('annals.', `${topicPrefix}.`)));
  if (rights.length === 0) throw new Error(`${page} lists no ACLs`);
  return rights;
}

function toRights(line: string): readonly DocumentedRight[] {
  const [, type = '', name = 'kafka-cluster'] =
    /--(topic|group|transactional-id|cluster)(?: ([^-\s]\S*))?/.exec(line) ?? [];
  const named = [...line.matchAll(/--operation (\w+)/g)].map(([, operation = '']) => operation);
  return named.map((operation) => ({
    resourceType: must(resourceTypes[type], line),
    resourceName: name,
    resourcePatternType: line.includes('--resource-pattern-type prefixed')
      ? ResourcePatternTypes.PREFIXED
      : ResourcePatternTypes.LITERAL,
    operation: must(operations[operation], line),
    permissionType: AclPermissionTypes.ALLOW,
  }));
}

function must(known: number | undefined, line: string): number {
  if (known === undefined) throw new Error(`cannot parse this line: ${line}`);
  return known;
}
