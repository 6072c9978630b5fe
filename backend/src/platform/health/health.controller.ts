import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Config } from '../config/config.js';
import { Public } from '../http/caller.js';
import { CONFIG } from '../tokens.js';
import { Readiness, type ReadinessReport } from './readiness.js';

/** For load balancers and supervisors. */
@Public()
@Controller('health')
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    @Inject(CONFIG) private readonly config: Pick<Config, 'METRICS_PORT'>,
  ) {}

  @Get('live')
  live(): { readonly status: 'ok' } {
    return { status: 'ok' };
  }

  /** 200 if the stores accept writes and the read models have caught up since the start, else 503. With METRICS_PORT set, the details are on that port only. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessReport | Pick<ReadinessReport, 'status'>> {
    const report = await this.readiness.report();
    void reply.status(report.status === 'ready' ? 200 : 503).header('Cache-Control', 'no-store');
    return this.config.METRICS_PORT === null ? report : { status: report.status };
  }
}
