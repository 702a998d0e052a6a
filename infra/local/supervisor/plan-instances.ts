import type { ServiceEntry, ServiceName } from './service-environment.ts';

/** One process of a service, or the load balancer in front of several apis. */
export interface Instance {
  /** `api`, `api2`, `projector` …: identifies the instance in log lines, saved ports and access.json. */
  readonly name: string;
  readonly service: ServiceName | 'front';
  readonly entry: string;
}

/** Returns all processes of a run. With more than one api, they include a load balancer on the public port. */
export function planInstances(
  { services, front }: { readonly services: readonly ServiceEntry[]; readonly front: string },
  counts: Readonly<Record<ServiceName, number>>,
): readonly Instance[] {
  const instances: Instance[] = services.flatMap(({ name: service, entry }) =>
    Array.from({ length: counts[service] }, (_, index) => ({
      name: index === 0 ? service : `${service}${index + 1}`,
      service,
      entry,
    })),
  );
  return counts.api > 1
    ? [{ name: 'front', service: 'front', entry: front }, ...instances]
    : instances;
}
