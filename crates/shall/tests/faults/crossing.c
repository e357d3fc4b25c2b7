static struct { int64_t phase; bool begun; } memory;

void reset(void)
{
    memory.phase = 0;
    memory.begun = false;
}

void step(monitor_input *io)
{
    if (!memory.begun) {
        memory.begun = true;
    } else if (memory.phase == 0) {
        if (io->button && !io->car) {
            memory.phase = 1;
        }
    } else if (memory.phase == 1) {
        memory.phase = 2;
    } else if (memory.phase == 2) {
        if (!io->button) {
            memory.phase = 3;
        }
    } else {
        memory.phase = 0;
    }
    io->phase = memory.phase;
    io->walk = io->phase == 2 && !io->night;
    io->green = io->phase == 0 && !io->night;
    io->yellow = io->night || io->phase == 1 || io->phase == 3;
}
