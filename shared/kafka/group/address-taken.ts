/** An older live process has the same address. */
export class AddressTaken extends Error {
  override readonly name = 'AddressTaken';

  constructor(address: string) {
    super(
      `another process has the address ${address} already: give each one its own INTERNAL_HOST and INTERNAL_PORT, or INTERNAL_ADVERTISED_HOST`,
    );
  }
}
