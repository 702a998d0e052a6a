import type { AddressGuard } from '../../shared/net/address-guard.ts';

/** For receivers on this machine: tests of other things than where requests may go. */
export const openGuard: AddressGuard = { refusalOf: () => undefined, allows: () => true };

export const anywhere = { mayConnect: () => true, guard: openGuard };
