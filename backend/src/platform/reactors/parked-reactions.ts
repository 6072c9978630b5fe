import type { ParkedReaction } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { Vault, VaultRecord } from '../vault/vault.js';

type Parked = ParkedReaction & { readonly reactor: string };

export const PARKED_REACTIONS = 'parked-reactions';
const PAGE = 1_000;

/** The reactions that failed too often, stored in the vault until a replay succeeds. */
export class ParkedReactions {
  private constructor(private readonly vault: Vault) {}

  static async open(vault: Vault): Promise<ParkedReactions> {
    await vault.declare({ name: PARKED_REACTIONS, indexes: ['reactor'] });
    return new ParkedReactions(vault);
  }

  async park(reactor: string, reaction: ParkedReaction): Promise<void> {
    await this.vault.put(PARKED_REACTIONS, parkedReactionId(reactor, reaction.position), { reactor, ...reaction });
  }

  async done(reactor: string, position: Position): Promise<void> {
    await this.vault.remove(PARKED_REACTIONS, parkedReactionId(reactor, position));
  }

  /** A reactor's parked reactions, in the order of the log. */
  async of(reactor: string): Promise<readonly ParkedReaction[]> {
    const found: VaultRecord<Parked & Record<string, unknown>>[] = [];
    for (let page = await this.page(reactor); page.length > 0; page = page.length < PAGE ? [] : await this.page(reactor, page.at(-1)?.id)) found.push(...page);
    return found.map(({ body: { position, stream, type, reason } }) => ({ position, stream, type, reason })).toSorted((a, b) => a.position - b.position);
  }

  private page(reactor: string, afterId?: string): Promise<readonly VaultRecord<Parked & Record<string, unknown>>[]> {
    return this.vault.find(PARKED_REACTIONS, { field: 'reactor', value: reactor, limit: PAGE, ...(afterId === undefined ? {} : { afterId }) });
  }
}

/** The id of a parked reaction in the vault. */
export const parkedReactionId = (reactor: string, position: Position): string => `${reactor}-${position}`;
