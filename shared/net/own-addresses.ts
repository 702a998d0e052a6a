import { networkInterfaces } from 'node:os';

/** Every address of this machine, as of now: containers and VPNs come and go. */
export function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((all = []) =>
    all.map(({ address }) => address.replace(/%.*$/, '')),
  );
}
