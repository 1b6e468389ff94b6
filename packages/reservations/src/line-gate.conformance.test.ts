import { describeBreakers, describeLineGate } from '@outdial/calls/testing';
import { openLineGateStage } from '../test/line-gate-stage.ts';
import { gateUnderTest } from '../test/stores.ts';

const under = gateUnderTest();

describeLineGate('on Redis', () => openLineGateStage(under.redis));
describeBreakers('on Redis', () => openLineGateStage(under.redis));
