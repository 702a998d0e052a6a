/**
 * Another instance owns the partition. This writer has not appended the command and never will, so the caller may send
 * it to the owner.
 */
export class NotOwner extends Error {
  override readonly name = 'NotOwner';
  /** Address of the owner's internal listener, from its fence. Undefined if the fence has not been read yet. */
  readonly ownerAddress: string | undefined;

  constructor(ownerAddress: string | undefined) {
    super('another instance owns the partition');
    this.ownerAddress = ownerAddress;
  }
}
