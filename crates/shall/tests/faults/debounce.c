static struct { int64_t high; int64_t low; bool stable; } memory;

void reset(void)
{
    memory.high = 0;
    memory.low = 0;
    memory.stable = false;
}

void step(monitor_input *io)
{
    bool before = memory.stable;
    if (io->raw) {
        memory.high = memory.high + 1;
        memory.low = 0;
    } else {
        memory.low = memory.low + 1;
        memory.high = 0;
    }
    if (memory.high >= 3) {
        memory.stable = true;
    }
    if (memory.low >= 3 || io->clear) {
        memory.stable = false;
    }
    io->stable = memory.stable;
    io->rose = memory.stable && !before;
    io->fell = !memory.stable && before;
    io->band = 1;
    if (io->level < 10) {
        io->band = 0;
    }
    if (io->level >= 30) {
        io->band = 2;
    }
}
