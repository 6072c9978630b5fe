/** How many messages may come at once, and how many a second from then on. */
interface Rate {
  readonly most: number;
  readonly perSecond: number;
}

interface Bucket {
  left: number;
  at: number;
}

/** Far more than all tabs of a person send. */
const PERSON: Rate = { most: 100, perSecond: 20 };
/** Many people share one address at a school or in an office. */
const ADDRESS: Rate = { most: 2_000, perSecond: 400 };
/** Full buckets are forgotten whenever there are twice as many as before. */
const FIRST_SWEEP = 1_000;

/** What a socket may send. Messages that are expensive to answer are charged when their cost is known. */
export interface MessageBudget {
  /** Takes one message; false when there is no budget left. */
  take(): boolean;
  /** Takes more for a message that was accepted already. */
  charge(cost: number): void;
}

/** Token buckets by key. A full bucket is the same as none. */
class Buckets {
  private readonly buckets = new Map<string, Bucket>();
  private sweepAt = FIRST_SWEEP;

  constructor(
    private readonly rate: Rate,
    private readonly now: () => number,
  ) {}

  has(key: string): boolean {
    return this.leftIn(this.buckets.get(key)) >= 1;
  }

  charge(key: string, cost: number): void {
    const left = this.leftIn(this.buckets.get(key)) - cost;
    if (this.buckets.size >= this.sweepAt) this.sweep();
    this.buckets.set(key, { left, at: this.now() });
  }

  private leftIn(bucket: Bucket | undefined): number {
    const { most, perSecond } = this.rate;
    return bucket === undefined ? most : Math.min(most, bucket.left + ((this.now() - bucket.at) / 1_000) * perSecond);
  }

  private sweep(): void {
    for (const [key, bucket] of this.buckets) if (this.leftIn(bucket) === this.rate.most) this.buckets.delete(key);
    this.sweepAt = Math.max(FIRST_SWEEP, this.buckets.size * 2);
  }
}

/** The budgets that all sockets of a person, and all sockets from an address, share in this process. Reconnecting does not renew them. */
export class MessageBudgets {
  private readonly people: Buckets;
  private readonly addresses: Buckets;

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number) {
    this.people = new Buckets(PERSON, now);
    this.addresses = new Buckets(ADDRESS, now);
  }

  of(person: string, address: string): MessageBudget {
    const charge = (cost: number): void => {
      this.people.charge(person, cost);
      this.addresses.charge(address, cost);
    };
    return {
      charge,
      take: () => {
        if (!this.people.has(person) || !this.addresses.has(address)) return false;
        charge(1);
        return true;
      },
    };
  }
}
