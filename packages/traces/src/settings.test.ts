import { EnvError, parseEnv } from '@outdial/kernel';
import { describe, expect, it } from 'vitest';
import { tracesEnv, traceSettingsOf } from './settings.ts';

const settings = (env: NodeJS.ProcessEnv) => traceSettingsOf(parseEnv(tracesEnv, env), 'outdial-api');
const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

describe('the settings of traces', () => {
  it('are none without an endpoint', () => {
    expect(settings({ OTEL_TRACES_SAMPLER: 'always_on' })).toBeNull();
  });

  it('trace 5 % under the name of the process by default', () => {
    expect(settings(ENDPOINT)).toEqual({
      url: 'http://collector:4318/v1/traces',
      headers: {},
      serviceName: 'outdial-api',
      attributes: {},
      sampling: { ratio: 0.05, asksParent: true },
    });
  });

  it('keep the path of the endpoint, and decode headers and attributes', () => {
    expect(
      settings({
        OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example.com/otlp/?a=b',
        OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20YTpi==, x-scope=acme ,',
        OTEL_SERVICE_NAME: 'calls',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging',
      }),
    ).toMatchObject({
      url: 'https://otlp.example.com/otlp/v1/traces?a=b',
      headers: { Authorization: 'Basic YTpi==', 'x-scope': 'acme' },
      serviceName: 'calls',
      attributes: { 'deployment.environment.name': 'staging' },
    });
  });

  it.each([
    ['always_on', { ratio: 1, asksParent: false }],
    ['always_off', { ratio: 0, asksParent: false }],
    ['traceidratio', { ratio: 0.2, asksParent: false }],
    ['parentbased_always_on', { ratio: 1, asksParent: true }],
    ['parentbased_always_off', { ratio: 0, asksParent: true }],
    ['parentbased_traceidratio', { ratio: 0.2, asksParent: true }],
  ])('sample with %s', (sampler, sampling) => {
    const env = { ...ENDPOINT, OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: '0.2' };
    expect(settings(env)?.sampling).toEqual(sampling);
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://collector:4317'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=%zz'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=key%0A'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=%E2%82%AC'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a b=c'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '5'],
    ['OTEL_TRACES_SAMPLER_ARG', '-0.1'],
  ])('refuse %s=%s, and name the variable', (name, value) => {
    const read = () => settings({ ...ENDPOINT, [name]: value });
    expect(read).toThrow(EnvError);
    expect(read).toThrow(name);
  });
});
