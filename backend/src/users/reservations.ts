import { Inject, Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { VAULT } from '../platform/tokens.js';
import type { Vault, VaultRecord } from '../platform/vault/vault.js';
import { AccountSeal } from './account-seal.js';

const RESERVED = { email: 'reserved-emails', slug: 'reserved-slugs' } as const;

/** What an account reserves: an e-mail address in its normal form, or the slug of a username. */
export type Reserved = keyof typeof RESERVED;

/** The account that an e-mail address or slug belongs to. */
export type Reservation = { readonly uid: Uid };

/** Which account holds an e-mail address or a slug. Records are found by an HMAC of it and contain no more than the uid. */
@Injectable()
export class Reservations {
  constructor(
    @Inject(VAULT) private readonly vault: Vault,
    private readonly seal: AccountSeal,
  ) {}

  async declare(): Promise<void> {
    await this.vault.declare({ name: RESERVED.email });
    await this.vault.declare({ name: RESERVED.slug });
  }

  get(kind: Reserved, value: string): Promise<VaultRecord<Reservation> | null> {
    return this.vault.get<Reservation>(RESERVED[kind], this.seal.idOf(kind, value));
  }

  /** False if it is reserved, by whomever. */
  insert(kind: Reserved, value: string, uid: Uid): Promise<boolean> {
    return this.vault.insert(RESERVED[kind], this.seal.idOf(kind, value), { uid } satisfies Reservation);
  }

  /** Removes a reservation unless it was replaced since it was read. */
  async free(kind: Reserved, { id, version }: VaultRecord<Reservation>): Promise<void> {
    await this.vault.remove(RESERVED[kind], id, version);
  }

  async freeIfHeldBy(kind: Reserved, value: string, uid: Uid): Promise<void> {
    const taken = await this.get(kind, value);
    if (taken?.body.uid === uid) await this.free(kind, taken);
  }
}
