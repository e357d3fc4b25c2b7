static struct { bool inlet; bool one; bool two; } memory;

void reset(void)
{
    memory.inlet = false;
    memory.one = false;
    memory.two = false;
}

void step(monitor_input *io)
{
    bool high = io->level > 95;
    if (io->level < 20) {
        memory.inlet = true;
    }
    if (io->stop || io->level > 80) {
        memory.inlet = false;
    }
    io->inlet = memory.inlet;
    io->outlet = io->demand && !io->stop && io->level >= 10;
    io->low = io->level < 5 && !io->stop;
    io->full = io->level >= 99 && !io->demand;
    io->siren = high || memory.one || memory.two;
    memory.two = memory.one;
    memory.one = high;
}
