/**
 * The partition belongs to another instance. Nothing of the command is in the log, nor ever will be through this
 * writer: whoever gave it may give it to the owner.
 */
export class NotOwner extends Error {
  override readonly name = 'NotOwner';
  /** Of the owner's internal listener, as its fence says; undefined if no fence of it was read yet. */
  readonly ownerAddress: string | undefined;

  constructor(ownerAddress: string | undefined) {
    super('another instance owns the partition');
    this.ownerAddress = ownerAddress;
  }
}
