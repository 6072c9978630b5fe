import type { Push, PushChannel, Topic } from '@roughmix/contracts/live.js';
import type { StoredEvent } from '../../kernel/event.js';
import { isLag } from './live-reads.js';
import type { Emission, Eviction, LiveStep, Promotion, PushSource } from './live-message.js';
import type { Logger } from '../logger.js';

/** An emission with its pushes, for those of its topics that are wanted. */
export interface BuiltEmission extends Pick<Emission, 'topics' | 'subject' | 'tellsOfLoss'> {
  readonly kind: 'built';
  readonly channel: PushChannel;
  readonly pushes: readonly Push[];
}

export type BuiltStep = BuiltEmission | Eviction | Promotion;

/** An event's steps; `failed` when a source could not name its own. */
export interface StepsOfEvent {
  readonly steps: readonly LiveStep[];
  readonly failed: boolean;
}

/** Steps ready to be sent. */
export interface BuiltSteps {
  readonly steps: readonly BuiltStep[];
  /** Topics that were not wanted: nothing was built for them. */
  readonly skipped: readonly Topic[];
  /** Topics whose pushes could not be built. */
  readonly failed: readonly Topic[];
}

/** Asks push sources for steps and builds their pushes. A failing source loses only its own pushes and is logged; lag is reported to the caller. */
export class PushBuilder {
  constructor(
    private readonly sources: readonly PushSource[],
    private readonly log: Logger,
  ) {}

  /** @throws Refused `store.away` when read models lag */
  async stepsOf(event: StoredEvent): Promise<StepsOfEvent> {
    const steps: LiveStep[] = [];
    let failed = false;
    for (const source of this.sources) {
      try {
        const found = await source.steps(event);
        const stray = found.find((step) => !feeds(source, step));
        if (stray !== undefined) throw new Error(`a source of the lane ${source.lane?.name} pushes to a topic kind that the lane does not name`);
        steps.push(...found);
      } catch (error) {
        if (isLag(error)) throw error;
        failed = true;
        this.log.error({ err: error, position: event.position, type: event.type }, 'push source failed; its pushes of this event are lost');
      }
    }
    return { steps, failed };
  }

  /** Builds what the wanted topics get, in order. @throws Refused `store.away` when read models lag */
  async build(steps: readonly LiveStep[], isWanted: (topic: Topic) => boolean): Promise<BuiltSteps> {
    const built: BuiltStep[] = [];
    const skipped: Topic[] = [];
    const failed: Topic[] = [];
    for (const step of steps) {
      if (step.kind !== 'emit') {
        built.push(step);
        continue;
      }
      const { build, kind: _kind, ...emission } = step;
      const topics = step.topics.filter((topic) => isWanted(topic));
      skipped.push(...step.topics.filter((topic) => !topics.includes(topic)));
      if (topics.length === 0) continue;
      try {
        built.push({ ...emission, kind: 'built', topics, pushes: await build() });
      } catch (error) {
        if (isLag(error)) throw error;
        failed.push(...topics);
        this.log.error({ err: error, topics }, 'push could not be built');
      }
    }
    return { steps: built, skipped, failed };
  }
}

const topicsOf = (step: LiveStep): readonly Topic[] => (step.kind === 'emit' ? step.topics : step.kind === 'evict' ? [step.topic] : [step.from, step.to]);

const feeds = ({ lane }: PushSource, step: LiveStep): boolean => lane === undefined || topicsOf(step).every(({ kind }) => lane.kinds.includes(kind));

/** The newest position that built pushes show: who may see them is decided on read models that hold it. */
export const newestShown = (steps: readonly BuiltStep[]): number =>
  Math.max(0, ...steps.flatMap((step) => (step.kind === 'built' ? step.pushes.map(({ view }) => view?.position ?? 0) : [])));
